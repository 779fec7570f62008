/** Traffic of an account by month, from the exact counters. */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from '../events/store.ts'

export type MonthTraffic = { current: number; last: number }

/** Bytes sent to visitors this month and last month; months begin at midnight of the accounting time zone. */
export async function trafficOfMonth(
  events: ClickHouseClient,
  siteIds: number[],
  timeZone: string,
  nowMs = Date.now(),
): Promise<MonthTraffic> {
  if (siteIds.length === 0) return { current: 0, last: 0 }
  const rows = await queryRows<MonthTraffic>(
    events,
    `WITH toDateTime({now:UInt32}, {timeZone:String}) AS now, toStartOfMonth(now, {timeZone:String}) AS month
     SELECT sumIf(bytesSent, minute >= toDateTime(month, {timeZone:String})) AS current, sum(bytesSent) - current AS last
     FROM (
       SELECT minute, bytesSent FROM counters_per_minute_v1 FINAL
       WHERE minute < (SELECT max(time) FROM counted_since_v1) AND site IN {sites:Array(UInt32)}
         AND minute >= toDateTime(addMonths(month, -1), {timeZone:String}) AND minute <= now
       UNION ALL
       SELECT time AS minute, bytesSent FROM counted_per_five_minutes_v1
       WHERE minute >= (SELECT max(time) FROM counted_since_v1) AND site IN {sites:Array(UInt32)}
         AND minute >= toDateTime(addMonths(month, -1), {timeZone:String}) AND minute <= now
     )`,
    { sites: siteIds, timeZone, now: Math.floor(nowMs / 1000) },
  )
  return rows[0] ?? { current: 0, last: 0 }
}
