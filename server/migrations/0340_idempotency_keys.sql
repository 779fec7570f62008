-- The result of a POST with an Idempotency-Key, for a day. The actor keeps apart who speaks for the account: 'session',
-- 'token:<id>', or 'account:<id>' of whoever acts for it. The result is sealed, as it may hold a token that is shown once;
-- null while a call runs that is not one transaction.

create table idempotency_keys (
  account_id int not null,
  actor text not null,
  key text not null,
  tenant_id int not null,
  call_hash bytea not null,
  result bytea,
  created_at timestamptz not null default now(),
  primary key (account_id, actor, key),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id) on delete cascade
);
create index idempotency_keys_created on idempotency_keys (created_at);
grant select, insert, update, delete on idempotency_keys to breakwater_tenant, breakwater_system;
alter table idempotency_keys enable row level security;
create policy system on idempotency_keys to breakwater_system using (true) with check (true);
create policy own on idempotency_keys to breakwater_tenant
  using (app_sees(tenant_id) and account_id = nullif(current_setting('app.account', true), '')::int)
  with check (app_sees(tenant_id) and account_id = nullif(current_setting('app.account', true), '')::int);
