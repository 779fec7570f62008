/** Cards: a few numbers about a range. Question → SQL → rows → card. */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isDenied, isRefused } from '../events/top-lists.ts'
import { fromPieces, requestTables, visitorTables } from './pieces.ts'
import type { CardQuestion, CardType } from './question.ts'

/** Status codes that have a number of their own (constants, status.tracked); the others are counted together. */
export const trackedStatuses = [
  200, 206, 301, 302, 400, 403, 404, 444, 499, 500, 502, 503, 504, 903, 904, 929, 978,
] as const

const refusedBy = (cause: number) => `sumIf(requests, ${isRefused} AND cause = ${cause})`

/** What each card but the visitors' sums. The status card counts by the product's own code where the edge decided. */
const measures: Record<Exclude<CardType, 4>, Record<string, string>> = {
  3: {
    requests: 'sum(requests)',
    pass: `sumIf(requests, NOT (${isRefused}))`,
    drop: `sumIf(requests, ${isRefused})`,
    traffic: 'sum(bytesSent)',
    received: 'sum(bytesReceived)',
    hits: "sumIf(requests, cache IN ('HIT', 'STALE', 'REVALIDATED', 'UPDATING'))",
    originRequests: 'sum(originRequests)',
  },
  5: {
    ...Object.fromEntries(trackedStatuses.map((code) => [code, `sumIf(requests, code = ${code})`])),
    other: `sumIf(requests, code NOT IN (${trackedStatuses.join(', ')}))`,
  },
  14: { requests: `sumIf(requests, ${isDenied})`, traffic: `sumIf(bytesSent, ${isDenied})` },
  15: {
    requests: `sumIf(requests, ${isRefused})`,
    denyList: refusedBy(causes.denyList),
    accessRule: refusedBy(causes.accessRule),
    rateLimit: refusedBy(causes.rateLimit),
    challenge: refusedBy(causes.challenge),
    drop: refusedBy(causes.drop),
  },
}

const columns =
  'status, cause, if(cause > 0, cause, status) AS code, action, cache, requests, bytesSent, bytesReceived, originRequests'

export function cardSql({ type, scope, pieces }: CardQuestion): Clause {
  if (type === 4) return visitorsSql(fromPieces(visitorTables, 'isRefused, addresses AS state', pieces, scope))
  const source = fromPieces(requestTables, columns, pieces, scope)
  const sums = Object.entries(measures[type]).map(([name, sum]) => `${sum} AS \`${name}\``)
  return { sql: `SELECT\n  ${sums.join(',\n  ')}\nFROM ${source.sql}`, params: source.params }
}

const visitorsSql = (source: Clause): Clause => ({
  sql: `SELECT uniqCombinedMerge(14)(state) AS addresses, uniqCombinedMergeIf(14)(state, isRefused = 1) AS refused\nFROM ${source.sql}`,
  params: source.params,
})

/** The names of a card's numbers, all zero. */
const emptyCard = (type: CardType): Record<string, number> =>
  Object.fromEntries((type === 4 ? ['addresses', 'refused'] : Object.keys(measures[type])).map((name) => [name, 0]))

export async function answerCard(events: ClickHouseClient, question: CardQuestion): Promise<Record<string, number>> {
  if (question.scope.sites.length === 0) return emptyCard(question.type)
  const { sql, params } = cardSql(question)
  const rows = await queryRows<Record<string, number>>(events, sql, params)
  return rows[0] ?? emptyCard(question.type)
}
