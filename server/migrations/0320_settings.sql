-- Settings groups of operators, zones, groups, nodes and accounts: one row a group that was saved. A site's stand in its
-- own row, because they are published with it. The mail server's settings move here.

create table settings (
  owner text not null,
  owner_id int not null,
  name text not null,
  tenant_id int not null references tenants on delete cascade,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (owner, owner_id, name)
);
create index settings_name on settings (name, tenant_id);
create index settings_tenant on settings (tenant_id);
grant select, insert, update, delete on settings to breakwater_tenant, breakwater_system;
alter table settings enable row level security;
create policy system on settings to breakwater_system using (true) with check (true);
create policy tenant on settings to breakwater_tenant using (app_sees(tenant_id)) with check (app_sees(tenant_id));

insert into settings (owner, owner_id, name, tenant_id, value, updated_at)
select 'operator', tenant_id, 'mail', tenant_id, jsonb_build_object(
  'enable', enabled, 'host', host, 'port', port, 'account', account, 'from', sender, 'encryption', encryption,
  -- encode() breaks lines
  'password', replace(encode(password, 'base64'), e'\n', ''),
  'testedAs', replace(encode(tested_as, 'base64'), e'\n', '')), updated_at
from mail_settings;
drop table mail_settings;
