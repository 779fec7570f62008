-- Every request that was logged, with the keys of the contract's RequestRow as columns. `weight` says how many requests
-- a row stands for: whoever counts sums weights. Append-only: a change of form is a new table with the next version.
create table if not exists requests_raw_v1 (
  time DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  node UInt32 codec(ZSTD(1)),
  zone UInt32 codec(ZSTD(1)),
  site UInt32 codec(ZSTD(1)),
  revision UInt32 codec(ZSTD(1)),
  requestId String codec(ZSTD(1)),
  domain LowCardinality(String),
  address IPv6 codec(ZSTD(1)),
  country LowCardinality(String),
  method LowCardinality(String),
  scheme LowCardinality(String),
  httpVersion LowCardinality(String),
  path String codec(ZSTD(1)),
  query String codec(ZSTD(1)),
  status UInt16 codec(ZSTD(1)),
  cause UInt16 codec(ZSTD(1)),
  guard LowCardinality(String),
  rule UInt32 codec(ZSTD(1)),
  action LowCardinality(String),
  cache LowCardinality(String),
  route LowCardinality(String),
  bytesSent UInt64 codec(T64, ZSTD(1)),
  bytesReceived UInt64 codec(T64, ZSTD(1)),
  requestTime Float32 codec(ZSTD(1)),
  originTime Float32 codec(ZSTD(1)),
  originAddress LowCardinality(String),
  originStatus UInt16 codec(ZSTD(1)),
  referer String codec(ZSTD(1)),
  userAgent LowCardinality(String),
  contentType LowCardinality(String),
  weight UInt32 default 1 codec(ZSTD(1)),
  index requestId requestId type bloom_filter(0.01) granularity 4
) engine = MergeTree
partition by toYYYYMMDD(time)
order by (site, time)
ttl toDateTime(time) + interval 30 day
settings non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, ttl_only_drop_parts = 1;

-- Exact sums that feed billing. A row is named by the batch that brought it, so that a batch which arrives twice, however
-- much later, replaces itself. Read with FINAL.
create table if not exists counters_per_minute_v1 (
  minute DateTime('UTC') codec(Delta(4), ZSTD(1)),
  node UInt32,
  zone UInt32,
  site UInt32,
  status UInt16,
  cause UInt16,
  cache LowCardinality(String),
  boot FixedString(16),
  sequence UInt64,
  requests UInt64 codec(T64, ZSTD(1)),
  bytesSent UInt64 codec(T64, ZSTD(1)),
  bytesReceived UInt64 codec(T64, ZSTD(1)),
  originRequests UInt64 codec(T64, ZSTD(1))
) engine = ReplacingMergeTree
partition by toYYYYMM(minute)
order by (site, minute, node, boot, sequence, status, cause, cache)
ttl minute + interval 25 month
settings non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
