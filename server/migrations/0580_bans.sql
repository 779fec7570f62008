-- Addresses that sites have banned, on every node that serves them. A lifted one stays until it would have been over, so
-- that nodes hear of it. Sequences are given under a lock of the zone, in the order of commits.
create sequence ban_sequence;
create table bans (
  site_id int not null references sites on delete cascade,
  -- an IPv4 address, or an IPv6 /64
  address inet not null,
  tenant_id int not null references tenants on delete cascade,
  sequence bigint not null default nextval('ban_sequence'),
  until timestamptz not null,
  lifted_at timestamptz,
  created_at timestamptz not null default now(),
  -- what refused the request that led to it
  guard text not null,
  rule bigint not null,
  cause int not null,
  request_id text not null,
  reference text not null,
  -- the node that said so, as it was then
  zone_id int not null,
  node text not null,
  primary key (site_id, address)
);
create index bans_sequence on bans (sequence);
create index bans_until on bans (until);
create index bans_tenant on bans (tenant_id, created_at);

grant select, insert, update, delete on bans to breakwater_system;
grant select on bans to breakwater_tenant;
grant usage on all sequences in schema public to breakwater_system;
alter table bans enable row level security;
create policy system on bans to breakwater_system using (true) with check (true);
create policy tenant on bans for select to breakwater_tenant using (app_sees(tenant_id));
create policy reach on bans as restrictive to breakwater_tenant using (app_reaches(site_id));
