-- Sums of whole days (UTC), which are over: what a month is read from. They are made from the hours' rollups when a day is
-- over (`events/close-days.ts`), so that the ingest does not pay for them, those of earlier months too. A build counts
-- while `days_closed_v1` names it; until then, and after late rows, readers take the day's hours.
create table if not exists requests_per_day_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  status UInt16,
  cause UInt16,
  guard LowCardinality(String),
  action LowCardinality(String),
  cache LowCardinality(String),
  build UInt64 codec(ZSTD(1)),
  requests UInt64 codec(T64, ZSTD(1)),
  bytesSent UInt64 codec(T64, ZSTD(1)),
  bytesReceived UInt64 codec(T64, ZSTD(1)),
  originRequests UInt64 codec(T64, ZSTD(1))
) engine = MergeTree
partition by toYYYYMM(time)
order by (site, time, zone, domain, status, cause, guard, action, cache)
ttl time + interval 25 month
settings fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

-- Without zone and domain: sketches are dear to merge, and who narrows to those reads the hours.
create table if not exists visitors_per_day_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  isRefused UInt8,
  build UInt64 codec(ZSTD(1)),
  addresses AggregateFunction(uniqCombined(14), IPv6)
) engine = MergeTree
partition by toYYYYMM(time)
order by (site, time, isRefused)
ttl time + interval 25 month
settings fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

-- What was said of a day: the builds that it was closed with, and build 0 when rows came late. The newest word counts;
-- `at` is in milliseconds.
create table if not exists days_closed_v1 (
  time DateTime('UTC'),
  at UInt64,
  build UInt64
) engine = ReplacingMergeTree(at)
partition by toYYYYMM(time)
order by (time, build)
ttl time + interval 25 month
settings fsync_after_insert = 1, fsync_part_directory = 1;
