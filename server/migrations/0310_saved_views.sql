-- Named views of lists, each of one account, which alone sees them.

create table saved_views (
  account_id int not null,
  list text not null,
  tenant_id int not null,
  views jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, list),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id) on delete cascade
);
grant select, insert, update, delete on saved_views to breakwater_tenant, breakwater_system;
alter table saved_views enable row level security;
create policy system on saved_views to breakwater_system using (true) with check (true);
create policy own on saved_views to breakwater_tenant
  using (app_sees(tenant_id) and account_id = nullif(current_setting('app.account', true), '')::int)
  with check (app_sees(tenant_id) and account_id = nullif(current_setting('app.account', true), '')::int);
