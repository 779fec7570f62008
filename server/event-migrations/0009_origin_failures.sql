-- Why no origin answered: none, dns, connect, tls, timeout, reset or invalid; empty where one did or none was asked.
alter table requests_raw_v1 add column if not exists originFailure LowCardinality(String) default '' after originStatus;
