/**
 * Closes days: sums up the hours of days (UTC) that are over, so that a month is read from thirty sums instead of 720
 * hours. Whoever stores rows or counters of such a day later reopens it before they are acknowledged. For an open day
 * its hours are read, so a closed day and its hours always agree.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from './store.ts'

export const daySeconds = 86_400
/** Rows of the day that just ended still arrive for a moment; waiting avoids reopening it. */
const graceSeconds = 300
/** Hours are kept for 25 months; the oldest of them may already be being deleted. */
const reachSeconds = 750 * daySeconds
/** The clock skew allowed between two servers: rows stored this shortly before a closing reopen the day. */
const clocksMs = 60_000

/** What a day consists of: each table, summed from its hours. */
const sums = [
  {
    to: 'requests_per_day_v1',
    from: 'requests_per_hour_v1',
    keys: 'site, zone, domain, status, cause, guard, action, cache',
    values: ['requests', 'bytesSent', 'bytesReceived', 'originRequests'],
    sum: (name: string) => `sum(${name})`,
  },
  {
    to: 'counted_per_day_v1',
    from: 'counted_per_hour_v1',
    keys: 'site, zone, status, cause, action, cache',
    values: ['requests', 'bytesSent', 'bytesReceived', 'originRequests'],
    sum: (name: string) => `sum(${name})`,
  },
  {
    to: 'visitors_per_day_v1',
    from: 'visitors_per_hour_v1',
    keys: 'site, isRefused',
    values: ['addresses'],
    sum: (name: string) => `uniqCombinedMergeState(14)(${name})`,
  },
]

/** The tables that closing days writes, and could write again. */
export const tablesOfDays = ['days_closed_v1', ...sums.map(({ to }) => to)]

const withinDay = "time >= toDateTime({day:UInt32}, 'UTC') AND time < toDateTime({day:UInt32} + 86400, 'UTC')"

/** Closes up to `daysMax` open days that are over, newest first. Returns the closed days in epoch seconds. */
export async function closeDays(events: ClickHouseClient, nowMs: number, daysMax = 60): Promise<number[]> {
  const days = (await openDays(events, nowMs)).slice(0, daysMax)
  // Builds are only distinguished by their number.
  for (const [i, { day, known }] of days.entries()) await closeDay(events, day, known, nowMs + i)
  return days.map(({ day }) => day)
}

/** `known` is the build with which the day was closed before, or 0. */
type OpenDay = { day: number; known: number }

async function openDays(events: ClickHouseClient, nowMs: number): Promise<OpenDay[]> {
  const now = Math.floor(nowMs / 1000)
  const over = dayOf(now - graceSeconds)
  const [hours] = await queryRows<{ stored: number; first: number }>(
    events,
    `SELECT count() AS stored, toUnixTimestamp(min(time)) AS first
     FROM (SELECT time FROM requests_per_hour_v1 UNION ALL SELECT time FROM counted_per_hour_v1)`,
    {},
  )
  if (!hours || hours.stored === 0) return []
  const from = dayOf(Math.max(hours.first, now - reachSeconds))
  const said = await queryRows<{ day: number; newest: number; known: number }>(
    events,
    'SELECT toUnixTimestamp(time) AS day, argMax(build, at) AS newest, max(build) AS known FROM days_closed_v1 GROUP BY time',
    {},
  )
  const byDay = new Map(said.map((one) => [one.day, one]))
  const days = Array.from({ length: Math.max(0, (over - from) / daySeconds) }, (_, i) => over - (i + 1) * daySeconds)
  return days
    .filter((day) => (byDay.get(day)?.newest ?? 0) === 0)
    .map((day) => ({ day, known: byDay.get(day)?.known ?? 0 }))
}

async function closeDay(events: ClickHouseClient, day: number, known: number, build: number): Promise<void> {
  for (const { to, from, keys, values, sum } of sums)
    await events.command({
      query: `INSERT INTO ${to} (time, ${keys}, build, ${values.join(', ')})
        SELECT toDateTime({day:UInt32}, 'UTC'), ${keys}, {build:UInt64}, ${values.map(sum).join(', ')}
        FROM ${from} WHERE ${withinDay} GROUP BY ${keys}`,
      query_params: { day, build },
      clickhouse_settings: { max_bytes_before_external_group_by: '100000000' },
    })
  await say(events, [{ time: day, at: build - clocksMs, build }])
  // Queries that started a moment ago still read the previous build; anything older is unused.
  if (known === 0) return
  for (const { to } of sums)
    await events.command({
      query: `DELETE FROM ${to} WHERE ${withinDay} AND build NOT IN ({known:UInt64}, {build:UInt64})`,
      query_params: { day, known, build },
    })
}

/**
 * Reopens the days of a span (epoch seconds, both inclusive) that are over. Call it once the rows of the span are
 * stored.
 */
export async function reopenDays(
  events: ClickHouseClient,
  { from, to }: { from: number; to: number },
  nowMs: number,
): Promise<void> {
  const [first, last] = [dayOf(from), Math.min(dayOf(to), dayOf(nowMs / 1000) - daySeconds)]
  const days = Array.from({ length: Math.max(0, (last - first) / daySeconds + 1) }, (_, i) => first + i * daySeconds)
  if (days.length > 0)
    await say(
      events,
      days.map((time) => ({ time, at: nowMs, build: 0 })),
    )
}

const say = (events: ClickHouseClient, values: { time: number; at: number; build: number }[]) =>
  events.insert({ table: 'days_closed_v1', values, format: 'JSONEachRow' })

const dayOf = (time: number) => Math.floor(time / daySeconds) * daySeconds
