-- What the rules of the WAF came to, and those that matched, each `rule:score:where`.
alter table requests_raw_v1 add column if not exists wafScore UInt32 default 0 after action;
alter table requests_raw_v1 add column if not exists waf String default '' after wafScore;
