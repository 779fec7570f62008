SELECT intDiv(toUnixTimestamp(time) - {origin:UInt32}, {seconds:UInt32}) AS bucket,
  sumIf(requests, NOT (action IN ('block', 'challenge'))) AS `pass`,
  sumIf(requests, action IN ('block', 'challenge')) AS `drop`
FROM (
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_five_minutes_v1 WHERE site IN {sites:Array(UInt32)} AND (domain IN {domains:Array(String)} OR arrayExists(suffix -> endsWith(domain, suffix), {suffixes:Array(String)})) AND zone IN {zones:Array(UInt32)} AND (time >= toDateTime({from0:UInt32}, 'UTC') AND time < toDateTime({to0:UInt32}, 'UTC') OR time >= toDateTime({from2:UInt32}, 'UTC') AND time < toDateTime({to2:UInt32}, 'UTC'))
  UNION ALL
  SELECT time, status, cause, if(cause > 0, cause, status) AS code, guard, action, cache, requests, bytesSent, bytesReceived, originRequests FROM requests_per_hour_v1 WHERE site IN {sites:Array(UInt32)} AND (domain IN {domains:Array(String)} OR arrayExists(suffix -> endsWith(domain, suffix), {suffixes:Array(String)})) AND zone IN {zones:Array(UInt32)} AND time >= toDateTime({from1:UInt32}, 'UTC') AND time < toDateTime({to1:UInt32}, 'UTC')
)
GROUP BY bucket

-- sites = [7,8]
-- domains = ["www.example.com","*.example.net"]
-- suffixes = [".example.net"]
-- zones = [3]
-- from0 = 1795257300
-- to0 = 1795258800
-- from2 = 1795269600
-- to2 = 1795271700
-- from1 = 1795258800
-- to1 = 1795269600
-- origin = 1795255200
-- seconds = 3600
