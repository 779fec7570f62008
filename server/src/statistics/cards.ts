/** Cards: a few numbers about a range. Question → SQL → rows → card. */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isDenied, isRefused } from '../events/top-lists.ts'
import { bytesIf, hits, measureColumns, named, passed, requestsIf } from './measures.ts'
import { requestSource, visitorsSql } from './pieces.ts'
import type { CardQuestion, CardType } from './question.ts'

/** Status codes that have a number of their own (constants, status.tracked); the others are counted together. */
export const trackedStatuses = [
  200, 206, 301, 302, 400, 403, 404, 444, 499, 500, 502, 503, 504, 903, 904, 929, 978,
] as const

const refusedBy = (cause: number) => requestsIf(`${isRefused} AND cause = ${cause}`)

/** What each card but the visitors' sums. The status card counts by the product's own code where the edge decided. */
const measures: Record<Exclude<CardType, 4>, Record<string, string>> = {
  3: {
    requests: 'sum(requests)',
    pass: requestsIf(passed),
    drop: requestsIf(isRefused),
    traffic: 'sum(bytesSent)',
    received: 'sum(bytesReceived)',
    hits,
    originRequests: 'sum(originRequests)',
  },
  5: {
    ...Object.fromEntries(trackedStatuses.map((code) => [code, requestsIf(`code = ${code}`)])),
    other: requestsIf(`code NOT IN (${trackedStatuses.join(', ')})`),
  },
  14: { requests: requestsIf(isDenied), traffic: bytesIf(isDenied) },
  15: {
    requests: requestsIf(isRefused),
    denyList: refusedBy(causes.denyList),
    accessRule: refusedBy(causes.accessRule),
    rateLimit: refusedBy(causes.rateLimit),
    challenge: refusedBy(causes.challenge),
    drop: refusedBy(causes.drop),
  },
}

export function cardSql({ type, pieces, ...asked }: CardQuestion): Clause {
  if (type === 4) return visitorsSql(pieces, asked)
  const source = requestSource(measureColumns, pieces, asked)
  return { sql: `SELECT\n  ${named(measures[type])}\nFROM ${source.sql}`, params: source.params }
}

/** The names of a card's numbers, all zero. */
const emptyCard = (type: CardType): Record<string, number> =>
  Object.fromEntries((type === 4 ? ['addresses', 'refused'] : Object.keys(measures[type])).map((name) => [name, 0]))

export async function answerCard(events: ClickHouseClient, question: CardQuestion): Promise<Record<string, number>> {
  if (question.scope.sites.length === 0) return emptyCard(question.type)
  const { sql, params } = cardSql(question)
  const rows = await queryRows<Record<string, number>>(events, sql, params)
  return rows[0] ?? emptyCard(question.type)
}
