-- Attacks on sites with automatic protection, as each node saw them. One that has no end lasts, as long as its node is seen.
create table site_attacks (
  id bigint generated always as identity primary key,
  site_id int not null references sites on delete cascade,
  tenant_id int not null references tenants on delete cascade,
  node_id int not null references nodes on delete cascade,
  node text not null,
  reason text not null,
  -- requests a second as it began, and how many were too many
  rate float8 not null,
  threshold float8 not null,
  began_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index site_attacks_open on site_attacks (node_id, site_id) where ended_at is null;
create index site_attacks_site on site_attacks (site_id, began_at desc);

grant select, insert, update, delete on site_attacks to breakwater_system;
grant select on site_attacks to breakwater_tenant;
grant usage on all sequences in schema public to breakwater_system;
alter table site_attacks enable row level security;
create policy system on site_attacks to breakwater_system using (true) with check (true);
create policy tenant on site_attacks for select to breakwater_tenant using (app_sees(tenant_id));
create policy reach on site_attacks as restrictive to breakwater_tenant using (app_reaches(site_id));
