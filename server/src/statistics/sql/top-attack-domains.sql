SELECT name, sum(requests) AS value
FROM (SELECT domain AS name, requests, bytesSent FROM (
  SELECT domain, guard, cache, action, if(cause > 0, cause, status) AS code, requests, bytesSent FROM requests_per_five_minutes_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC') OR time >= toDateTime({from2:UInt32}, 'UTC') AND time < toDateTime({to2:UInt32}, 'UTC'))
  UNION ALL
  SELECT domain, guard, cache, action, if(cause > 0, cause, status) AS code, requests, bytesSent FROM requests_per_hour_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from1:UInt32}, 'UTC') AND time < toDateTime({to1:UInt32}, 'UTC')
) WHERE action IN ('block', 'challenge'))
GROUP BY name HAVING value > 0
ORDER BY value DESC, name
LIMIT {top:UInt32}

-- site = 7
-- from0 = 1795257300
-- to0 = 1795258800
-- from2 = 1795269600
-- to2 = 1795272000
-- from1 = 1795258800
-- to1 = 1795269600
-- top = 5
