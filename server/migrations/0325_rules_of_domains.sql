-- Rules may belong to a domain. Row-level security goes by the tenant, as for every rule.

alter table rules add column domain_id int;
alter table rules drop constraint rules_check;
alter table rules add constraint rules_one_owner check (num_nonnulls(site_id, module_id, domain_id) = 1);
alter table rules add foreign key (tenant_id, domain_id) references domains (tenant_id, id) on delete cascade;
create index rules_domain on rules (domain_id, kind, sort, id) where domain_id is not null;
create unique index rules_domain_key on rules (domain_id, kind, unique_key)
  where domain_id is not null and unique_key is not null;
