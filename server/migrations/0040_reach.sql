-- How far a caller reaches: per site down to origins and modules, per zone in the operator's network; and accounts that end.

alter table accounts add column ends_at timestamptz;
create index accounts_ending on accounts (ends_at) where ends_at is not null and status = 1;

-- A grant says who may see a site. An operator's people may be given sites of its customers, so the tenant is the site's.
alter table site_grants
  drop constraint site_grants_tenant_id_account_id_fkey,
  add foreign key (account_id) references accounts on delete cascade;

-- The zones of an operator's sub-account; without any it looks after all of them.
create table account_zones (
  account_id int not null references accounts on delete cascade,
  zone_id int not null references zones on delete cascade,
  primary key (account_id, zone_id)
);
create index account_zones_zone on account_zones (zone_id);
grant select, insert, update, delete on account_zones to breakwater_system;

create function app_reaches_zone(zone int) returns boolean language sql stable as $$
  select case coalesce(current_setting('app.zones', true), '') when '' then true
    else zone = any (string_to_array(current_setting('app.zones', true), ',')::int[]) end
$$;
create policy reach on zones as restrictive to breakwater_tenant using (app_reaches_zone(id)) with check (app_reaches_zone(id));
create policy reach on nodes as restrictive to breakwater_tenant using (app_reaches_zone(zone_id)) with check (app_reaches_zone(zone_id));

-- An origin is reached through its domain, whose own policy knows the site.
create policy reach on upstreams as restrictive to breakwater_tenant
  using (coalesce(current_setting('app.sites', true), '') = '' or exists (select from domains d where d.id = domain_id))
  with check (coalesce(current_setting('app.sites', true), '') = '' or exists (select from domains d where d.id = domain_id));

-- The sites that a module is bound to. Every column that binds a site or domain to a module stands here.
create function module_sites(module int) returns setof int language sql stable security definer set search_path = public, pg_temp as $$
  select site_id from domains where custom_header_module_id = module
$$;
-- Who reaches only some sites sees the modules that act on them and those he made himself, and changes only modules that
-- act on nothing beyond: a change publishes every site that is bound.
create function app_sees_module(module int, maker int) returns boolean language sql stable as $$
  select coalesce(current_setting('app.sites', true), '') = ''
    or exists (select from module_sites(module) s where app_reaches(s))
    or (maker = nullif(current_setting('app.account', true), '')::int and not exists (select from module_sites(module)))
$$;
create function app_changes_module(module int, maker int) returns boolean language sql stable as $$
  select coalesce(current_setting('app.sites', true), '') = ''
    or (app_sees_module(module, maker) and not exists (select from module_sites(module) s where not app_reaches(s)))
$$;
alter table modules add column made_by int default nullif(current_setting('app.account', true), '')::int;
create policy reach_read on modules as restrictive for select to breakwater_tenant using (app_sees_module(id, made_by));
create policy reach_update on modules as restrictive for update to breakwater_tenant using (app_changes_module(id, made_by));
create policy reach_delete on modules as restrictive for delete to breakwater_tenant using (app_changes_module(id, made_by));

create policy reach_module_read on rules as restrictive for select to breakwater_tenant
  using (module_id is null or exists (select from modules m where m.id = module_id));
create policy reach_module_add on rules as restrictive for insert to breakwater_tenant
  with check (module_id is null or exists (select from modules m where m.id = module_id and app_changes_module(m.id, m.made_by)));
create policy reach_module_update on rules as restrictive for update to breakwater_tenant
  using (module_id is null or exists (select from modules m where m.id = module_id and app_changes_module(m.id, m.made_by)));
create policy reach_module_delete on rules as restrictive for delete to breakwater_tenant
  using (module_id is null or exists (select from modules m where m.id = module_id and app_changes_module(m.id, m.made_by)));
