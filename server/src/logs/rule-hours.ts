/** The requests that rules decided or observed in each of the last hours: one query for all rules of a list. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { type logExplorer, ruleHours } from '@breakwater/contract/logs/explorer.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { spanClause } from './log-rows.ts'

const hourMs = 3_600_000
const limits: ReadLimits = { seconds: 10, rows: 50_000_000, bytes: 1_000_000_000 }

/**
 * Returns an entry for every rule in the request, with zeros if it matched nothing. Hours are counted back from
 * `nowMs`.
 */
export async function readRuleHours(
  events: ClickHouseClient,
  scope: EventScope,
  rules: readonly number[],
  nowMs: number,
): Promise<Reply<typeof logExplorer.ruleHours>> {
  const fromMs = nowMs - ruleHours * hourMs
  // A node's clock may be slightly ahead: its rows belong to the hour that ends now.
  const where = allOf([scopeClause(scope), spanClause(fromMs, nowMs + hourMs)])
  const rows = await queryRows<{ id: number; hour: number; requests: number }>(
    events,
    `SELECT rule AS id, least(intDiv(toUnixTimestamp64Milli(time) - {fromMs:Int64}, {hourMs:UInt32}), {last:UInt8}) AS hour,
      sum(weight) AS requests
    FROM requests_raw_v1 WHERE ${where.sql} AND rule IN {rules:Array(UInt32)} GROUP BY id, hour`,
    { ...where.params, rules, hourMs, last: ruleHours - 1 },
    limits,
  )
  const found = new Map(rules.map((id) => [id, Array.from({ length: ruleHours }, () => 0)]))
  for (const { id, hour, requests } of rows) found.get(id)![hour] = requests
  return [...found].map(([id, hours]) => ({ id, requests: hours.reduce((sum, one) => sum + one, 0), hours }))
}
