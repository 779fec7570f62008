-- Callers' transactions have a login of their own, which may do nothing but take two roles: breakwater_tenant, behind
-- row-level security, and breakwater_step, for what publishing and jobs do inside a caller's transaction. Taking a role
-- is not enough for either. A scope (which tenant, which sites) counts only with a proof, and a step only with the key
-- that the server's processes read as the owner of the tables: SQL that runs on such a connection can make neither.

do $$ begin
  if not exists (select from pg_roles where rolname = 'breakwater_step') then
    create role breakwater_step nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise exception 'the user of DATABASE_URL may not make roles; as a superuser: create role breakwater_step nologin';
end $$;
grant usage on schema public to breakwater_step;

-- Read and written by the owner alone: one row, made at start-up.
create table tenant_login (
  id int primary key default 1 check (id = 1),
  name text not null,
  password text not null,
  key text not null
);

create function app_steps() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(current_setting('app.step', true), '') = key from tenant_login
$$;

-- The fields hold digits, commas and `on`, so that a bar between them leaves one reading only.
create function app_scope_holds() returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(current_setting('app.proof', true), '') = encode(sha256(convert_to(key || '|'
    || coalesce(current_setting('app.tenant', true), '') || '|' || coalesce(current_setting('app.operator', true), '') || '|'
    || coalesce(current_setting('app.vendor', true), '') || '|' || coalesce(current_setting('app.sites', true), '') || '|'
    || coalesce(current_setting('app.zones', true), '') || '|' || coalesce(current_setting('app.account', true), '')
    || '|' || key, 'UTF8')), 'hex') from tenant_login
$$;

-- Tables that callers read although they had no policy. What belongs to a site is seen with the site, what belongs to
-- the network with its zone.
create policy tenant on tenants for select to breakwater_tenant using (
  id = nullif(current_setting('app.tenant', true), '')::int
  or operator_id = nullif(current_setting('app.operator', true), '')::int
  or current_setting('app.vendor', true) = 'on');
create policy tenant on groups for select to breakwater_tenant using (exists (select from zones z where z.id = zone_id));
create policy tenant on product_groups for select to breakwater_tenant
  using (exists (select from products p where p.id = product_id));
create policy tenant on feeds for select to breakwater_tenant using (exists (select from groups g where g.id = group_id));
create policy tenant on feed_entries for select to breakwater_tenant using (exists (select from sites s where s.id = site_id));
create policy tenant on node_exceptions for select to breakwater_tenant using (exists (select from sites s where s.id = site_id));
create policy tenant on tasks for select to breakwater_tenant using (exists (select from sites s where s.id = site_id));
create policy tenant on task_receipts for select to breakwater_tenant using (exists (select from tasks t where t.id = task_id));

-- Brings every table and view to the same rules, those of later migrations too: it runs after all of them, and does
-- nothing to what is in order. A table without a policy of its own is closed to callers.
create procedure app_secure_tables() language plpgsql set search_path = public, pg_temp as $$
declare
  t record;
  privilege text;
begin
  for t in
    select c.oid, c.relname as name, c.relkind as kind, c.relrowsecurity as is_secured
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by c.relname
  loop
    foreach privilege in array array['select', 'insert', 'update', 'delete'] loop
      if has_table_privilege('breakwater_system', t.oid, privilege)
        and not has_table_privilege('breakwater_step', t.oid, privilege) then
        execute format('grant %s on %I to breakwater_step', privilege, t.name);
      end if;
    end loop;
    if t.kind = 'v' then
      if not exists (select from pg_class where oid = t.oid and 'security_invoker=true' = any (reloptions)) then
        execute format('alter view %I set (security_invoker = true)', t.name);
      end if;
      continue;
    end if;
    if not t.is_secured then
      execute format('alter table %I enable row level security', t.name);
    end if;
    if has_any_column_privilege('breakwater_system', t.oid, 'select')
      and not exists (select from pg_policy where polrelid = t.oid and polname = 'system') then
      execute format('create policy system on %I to breakwater_system using (true) with check (true)', t.name);
    end if;
    if has_any_column_privilege('breakwater_step', t.oid, 'select')
      and not exists (select from pg_policy where polrelid = t.oid and polname = 'step') then
      execute format('create policy step on %I to breakwater_step using ((select app_steps())) with check ((select app_steps()))', t.name);
    end if;
    if has_any_column_privilege('breakwater_tenant', t.oid, 'select')
      and not exists (select from pg_policy where polrelid = t.oid and polname = 'scope') then
      execute format('create policy scope on %I as restrictive to breakwater_tenant using ((select app_scope_holds())) with check ((select app_scope_holds()))', t.name);
    end if;
  end loop;
  grant usage on all sequences in schema public to breakwater_step;
end $$;
revoke execute on procedure app_secure_tables() from public;
