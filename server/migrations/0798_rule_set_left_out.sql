-- What of a rule set's `crs-setup.conf` and exclusions does not hold, with its place and reason.
alter table waf_rule_sets add column left_out jsonb not null default '[]';
