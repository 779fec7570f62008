-- The verified bot that the client is, as its zone names it; empty for none, and in rows of before.
alter table requests_raw_v1 add column if not exists bot LowCardinality(String) default '' after asn;
