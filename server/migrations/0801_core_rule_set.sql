-- The rule set that sites get where their zone chose none: the files of Debian's package as they were when it was taken, so
-- that an update of the package changes what is refused only where somebody chooses it. `bytes` is JSON by name, with gzip;
-- `offered_hash` names the update that operators were last given to try.
create table core_rule_set (
  id int primary key default 1 check (id = 1),
  hash bytea not null,
  bytes bytea not null,
  offered_hash bytea,
  taken_at timestamptz not null default now()
);
grant select, insert, update on core_rule_set to breakwater_system;
alter table core_rule_set enable row level security;
create policy system on core_rule_set to breakwater_system using (true) with check (true);
