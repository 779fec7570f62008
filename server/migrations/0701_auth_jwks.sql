-- Public keys by which tokens of a group are verified, beside its entries: found at a URL and asked for again, or pasted.
create table auth_jwks (
  group_id int primary key,
  tenant_id int not null,
  -- '' where the keys were pasted
  url text not null,
  issuer text not null,
  audience text not null,
  claims jsonb not null default '[]',
  -- name, algorithm and public key of each
  keys jsonb not null default '[]',
  -- of the last question: when it was, when it was last answered, and what went wrong with it
  tried_at timestamptz,
  fetched_at timestamptz,
  problem text not null default '',
  due_at timestamptz not null default now(),
  foreign key (tenant_id, group_id) references auth_groups (tenant_id, id) on delete cascade
);
create index auth_jwks_due on auth_jwks (due_at) where url <> '';

grant select, insert, update, delete on auth_jwks to breakwater_tenant, breakwater_system;
alter table auth_jwks enable row level security;
create policy system on auth_jwks to breakwater_system using (true) with check (true);
create policy tenant on auth_jwks to breakwater_tenant using (app_sees(tenant_id)) with check (app_sees(tenant_id));
-- Reached through the group, whose own policy knows the site.
create policy reach on auth_jwks as restrictive to breakwater_tenant
  using (exists (select from auth_groups g where g.id = group_id))
  with check (exists (select from auth_groups g where g.id = group_id));
