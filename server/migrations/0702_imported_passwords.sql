-- Whether a group accepts passwords whose hashes were brought along: nodes of before could not try them.
alter table auth_groups add column has_imported boolean not null default false;
