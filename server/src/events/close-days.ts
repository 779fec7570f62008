/**
 * Closing days: sums up the hours of days (UTC) that are over, so that a month is read from thirty sums and not from 720.
 * Who stores rows or counters of such a day later opens it again before they are acknowledged; readers take an open day's hours, so
 * that a closed day and its hours always say the same.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from './store.ts'

export const daySeconds = 86_400
/** Rows of the day that just ended are still on their way for a moment, without opening it again. */
const graceSeconds = 300
/** Hours are kept for 25 months; the last of them may already be going. */
const reachSeconds = 750 * daySeconds
/** By how much the clocks of two servers may differ: rows that were stored so shortly before a closing open it again. */
const clocksMs = 60_000

/** What a day is made of: each table from its hours. */
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

/** What closing days writes, and could write anew. */
export const tablesOfDays = ['days_closed_v1', ...sums.map(({ to }) => to)]

const withinDay = "time >= toDateTime({day:UInt32}, 'UTC') AND time < toDateTime({day:UInt32} + 86400, 'UTC')"

/** Closes up to `daysMax` days that are over and open, newest first. Returns those it closed, in epoch seconds. */
export async function closeDays(events: ClickHouseClient, nowMs: number, daysMax = 60): Promise<number[]> {
  const days = (await openDays(events, nowMs)).slice(0, daysMax)
  // Builds are told apart by their number alone.
  for (const [i, { day, known }] of days.entries()) await closeDay(events, day, known, nowMs + i)
  return days.map(({ day }) => day)
}

/** `known` is the build that the day was closed with before, or 0. */
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
  // The build before is still being read by questions that were asked a moment ago; what is older is nobody's.
  if (known === 0) return
  for (const { to } of sums)
    await events.command({
      query: `DELETE FROM ${to} WHERE ${withinDay} AND build NOT IN ({known:UInt64}, {build:UInt64})`,
      query_params: { day, known, build },
    })
}

/** Opens the days of a span (epoch seconds, both included) that are over. To be called once its rows are stored. */
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
