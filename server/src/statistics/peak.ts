/**
 * The peak bandwidth of a range: the highest mean over five minutes, whatever the range, so that ranges can be
 * compared.
 */
import { peakSeconds } from '@breakwater/contract/statistics/statistics.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from '../events/store.ts'
import { type Asked, requestSource } from './pieces.ts'
import type { Range } from './range.ts'

/**
 * Bits per second, and when the five minutes began, in epoch seconds; empty if five-minute rollups are not kept that
 * far back.
 */
export async function peakOf(
  events: ClickHouseClient,
  { range, ...asked }: Asked & { range: Range | undefined },
): Promise<Record<string, number>> {
  if (!range) return {}
  const source = requestSource('time, bytesSent', [{ rollup: 'fiveMinutes', ...range }], asked)
  const [row] = await queryRows<{ sent: number; bucket: number }>(
    events,
    `SELECT max(bytes) AS sent, argMax(start, bytes) AS bucket FROM (
  SELECT intDiv(toUnixTimestamp(time), {peakSeconds:UInt32}) AS start, sum(bytesSent) AS bytes FROM ${source.sql} GROUP BY start
)`,
    { ...source.params, peakSeconds },
  )
  const sent = row?.sent ?? 0
  if (!row || sent === 0) return { bandwidth: 0 }
  return { bandwidth: Math.round((sent * 800) / peakSeconds) / 100, time: row.bucket * peakSeconds }
}
