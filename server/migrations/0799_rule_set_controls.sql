-- Whether nodes must be able to leave rules, or values, out where another rule of the set matched.
alter table waf_rule_sets add column uses_controls boolean not null default false;
