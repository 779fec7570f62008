SELECT
  sum(requests) AS `3 requests`,
  sumIf(requests, NOT (action IN ('block', 'challenge'))) AS `3 pass`,
  sumIf(requests, action IN ('block', 'challenge')) AS `3 drop`,
  sum(bytesSent) AS `3 traffic`,
  sum(bytesReceived) AS `3 received`,
  sumIf(requests, cache IN ('HIT', 'STALE', 'REVALIDATED', 'UPDATING')) AS `3 hits`,
  sum(originRequests) AS `3 originRequests`,
  sumIf(requests, action IN ('block', 'challenge') AND cause = 903) AS `14 requests`,
  sumIf(bytesSent, action IN ('block', 'challenge') AND cause = 903) AS `14 traffic`
FROM (
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_five_minutes_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC') OR time >= toDateTime({from6:UInt32}, 'UTC') AND time < toDateTime({to6:UInt32}, 'UTC'))
  UNION ALL
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_hour_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from1:UInt32}, 'UTC') AND time < toDateTime({to1:UInt32}, 'UTC') OR time >= toDateTime({from3:UInt32}, 'UTC') AND time < toDateTime({to3:UInt32}, 'UTC') OR time >= toDateTime({from5:UInt32}, 'UTC') AND time < toDateTime({to5:UInt32}, 'UTC'))
  UNION ALL
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_day_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from2:UInt32}, 'UTC') AND time < toDateTime({to2:UInt32}, 'UTC') OR time >= toDateTime({from4:UInt32}, 'UTC') AND time < toDateTime({to4:UInt32}, 'UTC')) AND build IN {builds:Array(UInt64)}
)

-- site = 7
-- from0 = 1794666900
-- to0 = 1794668400
-- from6 = 1795269600
-- to6 = 1795272000
-- from1 = 1794668400
-- to1 = 1794700800
-- from3 = 1794873600
-- to3 = 1794960000
-- from5 = 1795219200
-- to5 = 1795269600
-- from2 = 1794700800
-- to2 = 1794873600
-- from4 = 1794960000
-- to4 = 1795219200
-- builds = [1006,1005,1003,1002,1001]
