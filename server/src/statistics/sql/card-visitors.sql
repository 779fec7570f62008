SELECT uniqCombinedMerge(14)(state) AS addresses, uniqCombinedMergeIf(14)(state, isRefused = 1) AS refused
FROM (
  SELECT isRefused, addresses AS state FROM visitors_per_five_minutes_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC')
  UNION ALL
  SELECT isRefused, addresses AS state FROM visitors_per_five_minutes_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from1:UInt32}, 'UTC') AND time < toDateTime({to1:UInt32}, 'UTC') OR time >= toDateTime({from3:UInt32}, 'UTC') AND time < toDateTime({to3:UInt32}, 'UTC'))
  UNION ALL
  SELECT isRefused, addresses AS state FROM visitors_per_hour_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from2:UInt32}, 'UTC') AND time < toDateTime({to2:UInt32}, 'UTC')
)

-- site = 7
-- from0 = 1795257420
-- to0 = 1795257600
-- from1 = 1795257600
-- to1 = 1795258800
-- from3 = 1795269600
-- to3 = 1795272000
-- from2 = 1795258800
-- to2 = 1795269600
