-- What the rule set in shadow made of the request beside the one that decided; empty where it was not asked, and in rows of before.
alter table requests_raw_v1 add column if not exists wafShadow String default '' after waf;
