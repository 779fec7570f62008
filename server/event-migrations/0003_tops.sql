-- Top lists of whole hours, cut off: what ranks low in a site's hour is left out. They are made from raw rows when an hour
-- is over (`events/close-hours.ts`), so that a flood of random URLs costs the ingest nothing. A build of an hour counts
-- once `hours_closed_v1` names it: readers see all of it or nothing.
create table if not exists tops_per_hour_v1 (
  time DateTime('UTC') codec(Delta(4), ZSTD(1)),
  site UInt32,
  zone UInt32,
  domain LowCardinality(String),
  list LowCardinality(String),
  name String codec(ZSTD(1)),
  build UInt64,
  requests UInt64 codec(T64, ZSTD(1)),
  bytesSent UInt64 codec(T64, ZSTD(1))
) engine = MergeTree
partition by toYYYYMM(time)
order by (site, list, time, name)
ttl time + interval 400 day
settings ttl_only_drop_parts = 1;

create table if not exists hours_closed_v1 (
  time DateTime('UTC'),
  build UInt64,
  -- How many rows the hour had by its rollup: more of them later, and the hour is built again.
  rows UInt64
) engine = ReplacingMergeTree(build)
partition by toYYYYMM(time)
order by time
ttl time + interval 400 day
settings fsync_after_insert = 1, fsync_part_directory = 1;
