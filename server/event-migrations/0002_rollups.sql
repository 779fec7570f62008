-- What charts and cards read instead of raw rows. The minute's table is fed by raw rows, five minutes by minutes, hours by
-- five minutes: each insert passes through the whole chain, and rebuilding an hour of minutes rebuilds the others.

create table if not exists requests_per_minute_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  status UInt16,
  cause UInt16,
  guard LowCardinality(String),
  action LowCardinality(String),
  cache LowCardinality(String),
  rows SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  requests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesSent SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesReceived SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  originRequests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1))
) engine = AggregatingMergeTree
partition by toYYYYMMDD(time)
order by (site, time, zone, domain, status, cause, guard, action, cache)
ttl time + interval 8 day
settings non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

create table if not exists requests_per_five_minutes_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  status UInt16,
  cause UInt16,
  guard LowCardinality(String),
  action LowCardinality(String),
  cache LowCardinality(String),
  rows SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  requests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesSent SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesReceived SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  originRequests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1))
) engine = AggregatingMergeTree
partition by toYYYYMM(time)
order by (site, time, zone, domain, status, cause, guard, action, cache)
ttl time + interval 100 day
settings non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

create table if not exists requests_per_hour_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  status UInt16,
  cause UInt16,
  guard LowCardinality(String),
  action LowCardinality(String),
  cache LowCardinality(String),
  rows SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  requests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesSent SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesReceived SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  originRequests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1))
) engine = AggregatingMergeTree
partition by toYYYYMM(time)
order by (site, time, zone, domain, status, cause, guard, action, cache)
ttl time + interval 25 month
settings non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

create materialized view if not exists requests_per_minute_mv_v1 to requests_per_minute_v1 as
select
  toStartOfMinute(time) as time, site, zone, domain, status, cause, guard, action, cache,
  count() as rows, sum(weight) as requests, sum(bytesSent * weight) as bytesSent,
  sum(bytesReceived * weight) as bytesReceived, sumIf(weight, originStatus > 0) as originRequests
from requests_raw_v1
group by time, site, zone, domain, status, cause, guard, action, cache;

create materialized view if not exists requests_per_five_minutes_mv_v1 to requests_per_five_minutes_v1 as
select
  toStartOfFiveMinutes(time) as time, site, zone, domain, status, cause, guard, action, cache,
  sum(rows) as rows, sum(requests) as requests, sum(bytesSent) as bytesSent,
  sum(bytesReceived) as bytesReceived, sum(originRequests) as originRequests
from requests_per_minute_v1
group by time, site, zone, domain, status, cause, guard, action, cache;

create materialized view if not exists requests_per_hour_mv_v1 to requests_per_hour_v1 as
select
  toStartOfHour(time) as time, site, zone, domain, status, cause, guard, action, cache,
  sum(rows) as rows, sum(requests) as requests, sum(bytesSent) as bytesSent,
  sum(bytesReceived) as bytesReceived, sum(originRequests) as originRequests
from requests_per_five_minutes_v1
group by time, site, zone, domain, status, cause, guard, action, cache;

-- How many different addresses came, of all requests and of those that were refused.

create table if not exists visitors_per_five_minutes_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  isRefused UInt8,
  addresses AggregateFunction(uniqCombined(14), IPv6)
) engine = AggregatingMergeTree
partition by toYYYYMM(time)
order by (site, time, zone, domain, isRefused)
ttl time + interval 100 day
settings non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

create table if not exists visitors_per_hour_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  isRefused UInt8,
  addresses AggregateFunction(uniqCombined(14), IPv6)
) engine = AggregatingMergeTree
partition by toYYYYMM(time)
order by (site, time, zone, domain, isRefused)
ttl time + interval 25 month
settings non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

create materialized view if not exists visitors_per_five_minutes_mv_v1 to visitors_per_five_minutes_v1 as
select
  toStartOfFiveMinutes(time) as time, site, zone, domain, action in ('block', 'challenge') as isRefused,
  uniqCombinedState(14)(address) as addresses
from requests_raw_v1
group by time, site, zone, domain, isRefused;

create materialized view if not exists visitors_per_hour_mv_v1 to visitors_per_hour_v1 as
select toStartOfHour(time) as time, site, zone, domain, isRefused, uniqCombinedMergeState(14)(addresses) as addresses
from visitors_per_five_minutes_v1
group by time, site, zone, domain, isRefused;
