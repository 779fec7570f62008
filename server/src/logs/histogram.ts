/** The number of requests over time, under a filter of the log. */
import type { Parsed, Reply } from '@breakwater/contract/endpoint.ts'
import { bucketsMax, logDays, type logExplorer } from '@breakwater/contract/logs/explorer.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { filterClause } from './log-filter.ts'
import { spanClause } from './log-rows.ts'

type Body = Parsed<typeof logExplorer.histogram>['body']
type Line = { bucket: number; name: string; requests: number; found: number }

/** The usual clock intervals, in seconds. */
const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400]
const limits: ReadLimits = { seconds: 10, rows: 300_000_000 }

const names = {
  action: 'action',
  status: "if(status = 444, '444', concat(toString(intDiv(status, 100)), 'xx'))",
} as const

/** The smallest step that leaves room for the partial bars at both ends. Spans in seconds. */
export const stepOf = (span: number): number => steps.find((step) => span / step <= bucketsMax - 1) ?? 86_400

export async function readHistogram(
  events: ClickHouseClient,
  scope: EventScope,
  body: Body,
  nowMs: number,
): Promise<Reply<typeof logExplorer.histogram>> {
  const endMs = Math.min(body.endTime, nowMs + 3_600_000)
  const startMs = Math.min(Math.max(body.startTime, nowMs - (logDays + 1) * 86_400_000), endMs)
  const step = stepOf((endMs - startMs) / 1000)
  const empty = { step, from: startMs / 1000, to: endMs / 1000, total: 0, rows: 0, buckets: [] }
  if (scope.sites.length === 0 || startMs >= endMs) return empty
  const where = allOf([scopeClause(scope), spanClause(startMs, endMs), filterClause(body)])
  const lines = await queryRows<Line>(
    events,
    `SELECT intDiv(toUnixTimestamp(time), {step:UInt32}) * {step:UInt32} AS bucket, toString(${names[body.by]}) AS name,
      sum(weight) AS requests, count() AS found
    FROM requests_raw_v1 WHERE ${where.sql} GROUP BY bucket, name ORDER BY bucket`,
    { ...where.params, step },
    limits,
  )
  const first = Math.floor(startMs / 1000 / step) * step
  const count = Math.ceil((endMs / 1000 - first) / step)
  const buckets = Array.from({ length: count }, (_, i) => ({
    time: first + i * step,
    value: {} as Record<string, number>,
  }))
  for (const { bucket, name, requests } of lines) {
    const at = buckets[(bucket - first) / step]
    if (at) at.value[name] = requests
  }
  const total = lines.reduce((sum, { requests }) => sum + requests, 0)
  return { ...empty, total, rows: lines.reduce((sum, { found }) => sum + found, 0), buckets }
}
