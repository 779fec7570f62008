-- Which module of each kind a domain is bound to: a row a kind, in place of a column a kind.

create table domain_modules (
  domain_id int not null,
  kind text not null,
  module_id int not null,
  tenant_id int not null,
  primary key (domain_id, kind),
  foreign key (tenant_id, domain_id) references domains (tenant_id, id) on delete cascade,
  foreign key (tenant_id, module_id) references modules (tenant_id, id)
);
create index domain_modules_module on domain_modules (module_id);

grant select, insert, update, delete on domain_modules to breakwater_tenant, breakwater_system;
alter table domain_modules enable row level security;
create policy system on domain_modules to breakwater_system using (true) with check (true);
create policy tenant on domain_modules to breakwater_tenant using (app_sees(tenant_id)) with check (app_sees(tenant_id));
-- Reached through the domain, whose own policy knows the site.
create policy reach on domain_modules as restrictive to breakwater_tenant
  using (coalesce(current_setting('app.sites', true), '') = '' or exists (select from domains d where d.id = domain_id))
  with check (coalesce(current_setting('app.sites', true), '') = '' or exists (select from domains d where d.id = domain_id));
-- So are rules of domains.
create policy reach_domain on rules as restrictive to breakwater_tenant
  using (domain_id is null or exists (select from domains d where d.id = domain_id))
  with check (domain_id is null or exists (select from domains d where d.id = domain_id));

insert into domain_modules (domain_id, kind, module_id, tenant_id)
select id, 'customHeaders', custom_header_module_id, tenant_id from domains where custom_header_module_id is not null;

create or replace function module_sites(module int) returns setof int
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct d.site_id from domain_modules b join domains d on d.id = b.domain_id where b.module_id = module
$$;
alter table domains drop column custom_header_module_id;
