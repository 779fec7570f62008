SELECT intDiv(toUnixTimestamp(time) - {origin:UInt32}, {seconds:UInt32}) AS bucket,
  sum(bytesSent) AS `sent`,
  sum(bytesReceived) AS `received`
FROM (
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_minute_v1 WHERE site = {site:UInt32} AND time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC')
)
GROUP BY bucket

-- site = 7
-- from0 = 1795257420
-- to0 = 1795271820
-- origin = 1795257420
-- seconds = 60
