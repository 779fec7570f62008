-- What was done with a request is counted too, so that passed and refused are told apart without rows.
alter table counters_per_minute_v1 add column if not exists action LowCardinality(String) codec(ZSTD(1)) after cache,
  modify order by (site, minute, node, boot, sequence, status, cause, cache, action);

-- Nodes tell what was added every few seconds; what statistics read is summed below. The counters as they came are read
-- for the traffic of this month and the one before, and only of times before `counted_since_v1`.
alter table counters_per_minute_v1 modify ttl minute + interval 4 month;

-- Exact sums by what the counters of the nodes know: no domains, no guards. Fed like the rollups of the rows.

create table if not exists counted_per_minute_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  status UInt16,
  cause UInt16,
  action LowCardinality(String),
  cache LowCardinality(String),
  requests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesSent SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesReceived SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  originRequests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1))
) engine = AggregatingMergeTree
partition by toYYYYMMDD(time)
order by (site, time, zone, status, cause, action, cache)
ttl time + interval 8 day
settings non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

create table if not exists counted_per_five_minutes_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  status UInt16,
  cause UInt16,
  action LowCardinality(String),
  cache LowCardinality(String),
  requests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesSent SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesReceived SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  originRequests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1))
) engine = AggregatingMergeTree
partition by toYYYYMM(time)
order by (site, time, zone, status, cause, action, cache)
ttl time + interval 100 day
settings non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

create table if not exists counted_per_hour_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  status UInt16,
  cause UInt16,
  action LowCardinality(String),
  cache LowCardinality(String),
  requests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesSent SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  bytesReceived SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1)),
  originRequests SimpleAggregateFunction(sum, UInt64) codec(T64, ZSTD(1))
) engine = AggregatingMergeTree
partition by toYYYYMM(time)
order by (site, time, zone, status, cause, action, cache)
ttl time + interval 25 month
settings non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

-- Of whole days, as `requests_per_day_v1` (`events/close-days.ts`).
create table if not exists counted_per_day_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  status UInt16,
  cause UInt16,
  action LowCardinality(String),
  cache LowCardinality(String),
  build UInt64 codec(ZSTD(1)),
  requests UInt64 codec(T64, ZSTD(1)),
  bytesSent UInt64 codec(T64, ZSTD(1)),
  bytesReceived UInt64 codec(T64, ZSTD(1)),
  originRequests UInt64 codec(T64, ZSTD(1))
) engine = MergeTree
partition by toYYYYMM(time)
order by (site, time, zone, status, cause, action, cache)
ttl time + interval 25 month
settings fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

-- From when on the sums above are whole: always, where they were there from the beginning; else from the next day (UTC),
-- and times before are answered by rows. The latest word counts.
create table if not exists counted_since_v1 (
  time DateTime('UTC')
) engine = ReplacingMergeTree
order by time
settings fsync_after_insert = 1, fsync_part_directory = 1;

insert into counted_since_v1
select if((select count() from requests_raw_v1) + (select count() from counters_per_minute_v1) = 0,
  toDateTime(0, 'UTC'), toStartOfDay(now('UTC')) + interval 1 day)
where (select count() from counted_since_v1) = 0;

create materialized view if not exists counted_per_minute_mv_v1 to counted_per_minute_v1 as
select
  minute as time, site, zone, status, cause, action, cache,
  sum(requests) as requests, sum(bytesSent) as bytesSent,
  sum(bytesReceived) as bytesReceived, sum(originRequests) as originRequests
from counters_per_minute_v1
group by time, site, zone, status, cause, action, cache;

create materialized view if not exists counted_per_five_minutes_mv_v1 to counted_per_five_minutes_v1 as
select
  toStartOfFiveMinutes(time) as time, site, zone, status, cause, action, cache,
  sum(requests) as requests, sum(bytesSent) as bytesSent,
  sum(bytesReceived) as bytesReceived, sum(originRequests) as originRequests
from counted_per_minute_v1
group by time, site, zone, status, cause, action, cache;

create materialized view if not exists counted_per_hour_mv_v1 to counted_per_hour_v1 as
select
  toStartOfHour(time) as time, site, zone, status, cause, action, cache,
  sum(requests) as requests, sum(bytesSent) as bytesSent,
  sum(bytesReceived) as bytesReceived, sum(originRequests) as originRequests
from counted_per_five_minutes_v1
group by time, site, zone, status, cause, action, cache;
