SELECT name, sum(requests) AS value
FROM (
  SELECT name, requests, bytesSent FROM tops_per_hour_v1
  WHERE list = 'refusedAddress' AND site = {site:UInt32} AND time >= toDateTime({fromClosed0:UInt32}, 'UTC') AND time < toDateTime({toClosed0:UInt32}, 'UTC') AND (time, build) IN (SELECT time, max(build) FROM hours_closed_v1 WHERE time >= toDateTime({fromClosed0:UInt32}, 'UTC') AND time < toDateTime({toClosed0:UInt32}, 'UTC') GROUP BY time)
  UNION ALL
  SELECT replaceOne(toString(address), '::ffff:', '') AS name, weight AS requests, bytesSent * weight AS bytesSent FROM requests_raw_v1
  WHERE site = {site:UInt32} AND time >= toDateTime({fromRaw0:UInt32}, 'UTC') AND time < toDateTime({toRaw0:UInt32}, 'UTC') AND action IN ('block', 'challenge')
  UNION ALL
  SELECT replaceOne(toString(address), '::ffff:', '') AS name, weight AS requests, bytesSent * weight AS bytesSent FROM requests_raw_v1
  WHERE site = {site:UInt32} AND time >= toDateTime({fromRaw1:UInt32}, 'UTC') AND time < toDateTime({toRaw1:UInt32}, 'UTC') AND action IN ('block', 'challenge')
)
GROUP BY name HAVING value > 0
ORDER BY value DESC, name
LIMIT {top:UInt32}

-- top = 5
-- site = 7
-- fromClosed0 = 1795258800
-- toClosed0 = 1795266000
-- fromRaw0 = 1795257300
-- toRaw0 = 1795258800
-- fromRaw1 = 1795266000
-- toRaw1 = 1795272000
