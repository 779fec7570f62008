SELECT uniqCombinedMerge(14)(state) AS addresses, uniqCombinedMergeIf(14)(state, isRefused = 1) AS refused
FROM (
  SELECT isRefused, addresses AS state FROM visitors_per_five_minutes_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC') OR time >= toDateTime({from2:UInt32}, 'UTC') AND time < toDateTime({to2:UInt32}, 'UTC'))
  UNION ALL
  SELECT isRefused, addresses AS state FROM visitors_per_hour_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from1:UInt32}, 'UTC') AND time < toDateTime({to1:UInt32}, 'UTC')
)

-- site = 7
-- from0 = 1795257300
-- to0 = 1795258800
-- from2 = 1795269600
-- to2 = 1795271700
-- from1 = 1795258800
-- to1 = 1795269600
