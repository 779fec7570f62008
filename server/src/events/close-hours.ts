/**
 * Closes hours: builds the top lists of hours that are over. An hour that gets more rows afterwards (a node that was
 * cut off uploads late) is closed again. Until an hour is closed its lists are computed from raw rows, so closing late
 * is merely slow.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from './store.ts'
import { listsVersion, namesKeptMax, type TopList, topLists } from './top-lists.ts'

/** Nodes upload every second or so; after this, an hour rarely changes. */
const graceSeconds = 300
/** Raw rows are kept for 30 days; the oldest of them may already be being deleted. */
const reachSeconds = 29 * 86_400

/**
 * Closes up to `hoursMax` hours that are over and have changed since they were closed, newest first. Returns the closed
 * hours in epoch seconds.
 */
export async function closeHours(events: ClickHouseClient, nowMs: number, hoursMax = 48): Promise<number[]> {
  const now = Math.floor(nowMs / 1000)
  const to = Math.floor((now - graceSeconds) / 3600) * 3600
  const open = await queryRows<OpenHour>(
    events,
    `SELECT toUnixTimestamp(hours.time) AS hour, hours.stored AS stored, closed.known AS known
     FROM (SELECT time, sum(rows) AS stored FROM requests_per_hour_v1
           WHERE time >= toDateTime({from:UInt32}, 'UTC') AND time < toDateTime({to:UInt32}, 'UTC') GROUP BY time) AS hours
     LEFT JOIN (SELECT time, argMax(rows, build) AS known, argMax(lists, build) AS version FROM hours_closed_v1 GROUP BY time) AS closed ON hours.time = closed.time
     WHERE hours.stored != closed.known OR closed.version != {lists:UInt16} ORDER BY hour DESC LIMIT {hoursMax:UInt32}`,
    { from: Math.floor((now - reachSeconds) / 3600) * 3600, to, hoursMax, lists: listsVersion },
  )
  for (const hour of open) await closeHour(events, hour, nowMs)
  return open.map(({ hour }) => hour)
}

/** `known` is the row count of the hour when it was last closed; 0 if it never was. */
type OpenHour = { hour: number; stored: number; known: number }

async function closeHour(events: ClickHouseClient, { hour, stored, known }: OpenHour, build: number): Promise<void> {
  await events.command({
    query: closeHourSql(),
    query_params: { hour, build, kept: namesKeptMax },
    // An hour with a flood has millions of names: sort them on disk instead of failing.
    clickhouse_settings: {
      max_bytes_before_external_group_by: '100000000',
      max_bytes_before_external_sort: '100000000',
      insert_deduplication_token: `${hour}/${build}`,
    },
  })
  const values = [{ time: hour, build, rows: stored, lists: listsVersion }]
  await events.insert({ table: 'hours_closed_v1', values, format: 'JSONEachRow' })
  if (known === 0) return
  await events.command({
    query: `DELETE FROM tops_per_hour_v1 WHERE time = toDateTime({hour:UInt32}, 'UTC') AND build < {build:UInt64}`,
    query_params: { hour, build },
  })
}

export function closeHourSql(): string {
  const lists = (Object.keys(topLists) as TopList[]).map(listSql)
  return `INSERT INTO tops_per_hour_v1 (time, site, zone, domain, list, name, build, requests, bytesSent)\n${lists.join('\nUNION ALL\n')}`
}

function listSql(list: TopList): string {
  const { name, of } = topLists[list]
  return `SELECT toDateTime({hour:UInt32}, 'UTC'), site, zone, domain, '${list}', name, {build:UInt64}, requests, sent
FROM (
  SELECT *,
    row_number() OVER (PARTITION BY site ORDER BY requests DESC) AS byRequests,
    row_number() OVER (PARTITION BY site ORDER BY sent DESC) AS bySent
  FROM (
    SELECT site, zone, domain, ${name} AS name, sum(weight) AS requests, sum(bytesSent * weight) AS sent
    FROM requests_raw_v1
    WHERE time >= toDateTime64({hour:UInt32}, 3, 'UTC') AND time < toDateTime64({hour:UInt32} + 3600, 3, 'UTC') AND ${of}
    GROUP BY site, zone, domain, name
  )
)
WHERE byRequests <= {kept:UInt32} OR bySent <= {kept:UInt32}`
}
