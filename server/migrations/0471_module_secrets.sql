-- Secrets may belong to a module: the keys of signed URLs.

alter table modules add unique (id, tenant_id);
alter table secrets add column module_id int;
alter table secrets add foreign key (module_id, tenant_id) references modules (id, tenant_id) on delete cascade;
alter table secrets drop constraint secrets_check;
alter table secrets add constraint secrets_one_owner check (num_nonnulls(site_id, group_id, module_id) = 1);
create unique index secrets_module on secrets (module_id, name, version) where module_id is not null;
