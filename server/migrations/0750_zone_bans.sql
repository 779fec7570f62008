-- Addresses that nodes have banned from all sites of their zone. As with bans of sites, a lifted one stays until it would
-- have been over, and sequences are given under a lock of the zone.
create table zone_bans (
  zone_id int not null references zones on delete cascade,
  -- an IPv4 address, or an IPv6 /64
  address inet not null,
  tenant_id int not null references tenants on delete cascade,
  sequence bigint not null default nextval('ban_sequence'),
  until timestamptz not null,
  lifted_at timestamptz,
  created_at timestamptz not null default now(),
  -- what of the zone's settings banned it
  cause text not null,
  -- by it a node that tells the same ban again is known
  request_id text not null,
  -- the node that said so, as it was called then
  node text not null,
  primary key (zone_id, address)
);
create index zone_bans_sequence on zone_bans (sequence);
create index zone_bans_until on zone_bans (until);

grant select, insert, update, delete on zone_bans to breakwater_system;
grant select on zone_bans to breakwater_tenant;
alter table zone_bans enable row level security;
create policy system on zone_bans to breakwater_system using (true) with check (true);
create policy tenant on zone_bans for select to breakwater_tenant using (app_sees(tenant_id));
