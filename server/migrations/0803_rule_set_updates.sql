-- An update of the installed rule set among those of an operator; and when it was last offered, as an operator who is made
-- later is offered it at the next start.
alter table waf_rule_sets add column is_update boolean not null default false;
update waf_rule_sets set is_update = true where file_name = 'modsecurity-crs' and actor = 'system';
alter table core_rule_set add column offered_at timestamptz;
update core_rule_set set offered_at = now() where offered_hash is not null;
