-- What a person put on its dashboards, and the index of what waits for somebody.

create table dashboards (
  account_id int primary key,
  tenant_id int not null,
  widgets jsonb not null,
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, account_id) references accounts (tenant_id, id) on delete cascade
);
grant select, insert, update, delete on dashboards to breakwater_tenant, breakwater_system;
alter table dashboards enable row level security;
create policy system on dashboards to breakwater_system using (true) with check (true);
create policy tenant on dashboards to breakwater_tenant using (app_sees(tenant_id)) with check (app_sees(tenant_id));

create index domains_pending on domains (created_at) where ownership = 'pending' and status = 1;
