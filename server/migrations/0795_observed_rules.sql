-- How often each rule matched the lab's ordinary requests, at all paranoia levels: of this rule set (`own`) and of the
-- default (`default`), by the rule's number. Nothing where it was not tried since.
alter table waf_rule_sets add column hits jsonb;
