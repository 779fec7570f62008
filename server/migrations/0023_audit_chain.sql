-- The audit log as a chain: each entry of a tenant holds the hash of its content and of the entry before. Whoever changes
-- or removes an entry breaks every one after it. Entries are made by a trigger, so that no writer can leave the chain.

alter table audit
  -- the person who acted for the account that is named
  add column proxy_name text,
  add column proxy_account_id int,
  -- the tenant that the act was about, where it is not the actor's
  add column subject_tenant_id int,
  add column status smallint not null default 200,
  add column previous bytea,
  add column hash bytea;
create index audit_chain on audit (tenant_id, id desc);
create index audit_subject on audit (subject_tenant_id, id desc) where subject_tenant_id is not null;

-- One field, with its length before it, so that no two contents read alike.
create function audit_field(value text) returns text language sql immutable as $$
  select case when value is null then '-,' else octet_length(value) || ':' || value || ',' end
$$;

create function audit_content(a audit) returns text language sql stable as $$
  select audit_field(a.id::text) || audit_field(to_char(a.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'))
    || audit_field(a.tenant_id::text) || audit_field(a.account_id::text) || audit_field(a.account_name)
    || audit_field(a.tier) || audit_field(a.action) || audit_field(a.method) || audit_field(a.url)
    || audit_field(a.request_id) || audit_field(a.address) || audit_field(a.site_id::text)
    || audit_field(a.subject_tenant_id::text) || audit_field(a.token_name) || audit_field(a.proxy_name)
    || audit_field(a.proxy_account_id::text) || audit_field(a.status::text) || audit_field(a.detail::text)
$$;

create function audit_link() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- One writer a tenant at a time, to the end of its transaction: the number is taken inside, so numbers follow the chain.
  perform pg_advisory_xact_lock(7312002, new.tenant_id);
  new.id := nextval(pg_get_serial_sequence('audit', 'id'));
  if new.subject_tenant_id is null and new.site_id is not null then
    select tenant_id into new.subject_tenant_id from sites where id = new.site_id;
  end if;
  if new.subject_tenant_id = new.tenant_id then
    new.subject_tenant_id := null;
  end if;
  select hash into new.previous from audit where tenant_id = new.tenant_id order by id desc limit 1;
  new.previous := coalesce(new.previous, '\x'::bytea);
  new.hash := sha256(new.previous || convert_to(audit_content(new), 'UTF8'));
  return new;
end $$;

-- What was written before there was a chain becomes its beginning.
do $$
declare entry audit; last bytea; tenant int := 0;
begin
  for entry in select * from audit order by tenant_id, id loop
    if entry.tenant_id <> tenant then
      tenant := entry.tenant_id;
      last := '\x'::bytea;
    end if;
    update audit set previous = last, hash = sha256(last || convert_to(audit_content(entry), 'UTF8'))
      where id = entry.id returning hash into last;
  end loop;
end $$;
alter table audit alter column previous set not null, alter column hash set not null;
create trigger audit_link before insert on audit for each row execute function audit_link();

revoke update, delete on audit from breakwater_system;
drop policy tenant on audit;
create policy tenant on audit to breakwater_tenant
  using (app_sees(tenant_id) or app_sees(subject_tenant_id)) with check (app_sees(tenant_id));
