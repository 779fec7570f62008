-- Lists of people and of what they did, at 100,000 accounts and millions of entries.

create extension if not exists pg_trgm;

create index accounts_search on accounts using gin (name gin_trgm_ops, account gin_trgm_ops, email gin_trgm_ops);
create index accounts_by_name on accounts (name, id);
create index accounts_by_account on accounts (account, id);
create index accounts_by_email on accounts (email, id);
create index accounts_by_status on accounts (status, id);

-- Whose entry it is besides its writer's: of one customer and one operator at the most. A reader then asks for one number.
-- They follow from what is hashed, so they are no part of the chain.
alter table audit add column customer_id int, add column operator_id int;

create function audit_concerns(tenant int, subject int, out customer_id int, out operator_id int) language sql stable as $$
  select
    (select id from tenants where id in (tenant, subject) and kind = 'customer' order by id = tenant desc limit 1),
    (select coalesce(t.operator_id, t.id) from tenants t where t.id in (tenant, subject) and t.kind <> 'vendor'
      order by t.id = tenant desc limit 1)
$$;
update audit set (customer_id, operator_id) = (select c.customer_id, c.operator_id from audit_concerns(tenant_id, subject_tenant_id) c);

-- Runs after `audit_link`, by name, when the subject is settled.
create function audit_place() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select c.customer_id, c.operator_id into new.customer_id, new.operator_id
    from audit_concerns(new.tenant_id, new.subject_tenant_id) c;
  return new;
end $$;
create trigger audit_place before insert on audit for each row execute function audit_place();

drop index audit_subject;
drop index audit_tenant;
create index audit_tenant on audit (tenant_id, at desc, id desc);
create index audit_customer on audit (customer_id, at desc, id desc) where customer_id is not null;
create index audit_operator on audit (operator_id, at desc, id desc) where operator_id is not null;
create index audit_customer_method on audit (customer_id, method, at desc, id desc) where customer_id is not null;
create index audit_operator_method on audit (operator_id, method, at desc, id desc) where operator_id is not null;
create index audit_account on audit (account_id, at desc, id desc);
create index audit_request on audit (request_id);
create index audit_search on audit using gin
  (account_name gin_trgm_ops, proxy_name gin_trgm_ops, action gin_trgm_ops, url gin_trgm_ops);
