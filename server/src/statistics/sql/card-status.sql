SELECT
  sumIf(requests, code = 200) AS `5 200`,
  sumIf(requests, code = 206) AS `5 206`,
  sumIf(requests, code = 301) AS `5 301`,
  sumIf(requests, code = 302) AS `5 302`,
  sumIf(requests, code = 400) AS `5 400`,
  sumIf(requests, code = 403) AS `5 403`,
  sumIf(requests, code = 404) AS `5 404`,
  sumIf(requests, code = 444) AS `5 444`,
  sumIf(requests, code = 499) AS `5 499`,
  sumIf(requests, code = 500) AS `5 500`,
  sumIf(requests, code = 502) AS `5 502`,
  sumIf(requests, code = 503) AS `5 503`,
  sumIf(requests, code = 504) AS `5 504`,
  sumIf(requests, code = 903) AS `5 903`,
  sumIf(requests, code = 904) AS `5 904`,
  sumIf(requests, code = 929) AS `5 929`,
  sumIf(requests, code = 978) AS `5 978`,
  sumIf(requests, code NOT IN (200, 206, 301, 302, 400, 403, 404, 444, 499, 500, 502, 503, 504, 903, 904, 929, 978)) AS `5 other`
FROM (
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_minute_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC')
  UNION ALL
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_five_minutes_v1 WHERE site = {site:UInt32} AND (time >= toDateTime({from1:UInt32}, 'UTC') AND time < toDateTime({to1:UInt32}, 'UTC') OR time >= toDateTime({from3:UInt32}, 'UTC') AND time < toDateTime({to3:UInt32}, 'UTC'))
  UNION ALL
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_hour_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from2:UInt32}, 'UTC') AND time < toDateTime({to2:UInt32}, 'UTC')
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
