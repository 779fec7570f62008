/**
 * Cards: a few numbers about a range. Question → SQL → rows → cards. Cards requested together are summed in one pass.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isDenied, isRefused } from '../events/top-lists.ts'
import { withDays } from './days.ts'
import { bytesIf, hits, measureColumns, named, passed, requestsIf } from './measures.ts'
import { peakOf } from './peak.ts'
import { type Asked, requestSource, visitorsSql } from './pieces.ts'
import type { CardsQuestion, CardType } from './question.ts'
import type { Piece } from './range.ts'

/** Status codes with a count of their own; the others are counted together. */
export const trackedStatuses = [
  200, 206, 301, 302, 400, 403, 404, 444, 499, 500, 502, 503, 504, 903, 904, 929, 978,
] as const

const refusedBy = (cause: number) => requestsIf(`${isRefused} AND cause = ${cause}`)

type SummedCard = Exclude<CardType, 4 | 101>
type Numbers = Record<string, number>

/**
 * What each card sums, except the visitors card. The status card counts by the product's own code if the edge decided.
 */
const measures: Record<SummedCard, Record<string, string>> = {
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

/** All cards but the visitors card; each column is named by its card and its measure. */
export function cardsSql(types: SummedCard[], { pieces, ...asked }: CardsQuestion): Clause {
  const source = requestSource(measureColumns, pieces, asked)
  const sums = types.flatMap((type) =>
    Object.entries(measures[type]).map(([name, sum]) => [`${type} ${name}`, sum] as const),
  )
  return { sql: `SELECT\n  ${named(Object.fromEntries(sums))}\nFROM ${source.sql}`, params: source.params }
}

/** The names of a card's numbers. */
const namesOf = (type: Exclude<CardType, 101>): string[] =>
  type === 4 ? ['addresses', 'refused'] : Object.keys(measures[type])

export async function answerCards(
  events: ClickHouseClient,
  { pieces, ...question }: CardsQuestion,
): Promise<Record<string, Numbers>> {
  const { types, scope, narrowing, countedSince, peakRange } = question
  const isEmpty = scope.sites.length === 0
  const [[sums, visitors], peak] = await Promise.all([
    isEmpty ? ([{}, {}] as [Numbers, Numbers]) : sumUp(events, pieces, question),
    isEmpty || !types.includes(101) ? {} : peakOf(events, { scope, narrowing, countedSince, range: peakRange }),
  ])
  const card = (type: CardType): Numbers => {
    if (type === 101) return peak
    return Object.fromEntries(
      namesOf(type).map((name) => [name, (type === 4 ? visitors[name] : sums[`${type} ${name}`]) ?? 0]),
    )
  }
  return Object.fromEntries(types.map((type) => [type, card(type)]))
}

/** The numbers of the summed cards, and of the visitors card; only those that were requested. */
async function sumUp(
  events: ClickHouseClient,
  pieces: Piece[],
  question: Omit<CardsQuestion, 'pieces'>,
): Promise<[Numbers, Numbers]> {
  const summed = question.types.filter((type) => type !== 4 && type !== 101)
  const days = await withDays(events, pieces, question)
  const visited = isOfWholeSites(question) ? days : pieces
  return Promise.all([
    summed.length > 0 ? numbersOf(events, cardsSql(summed, { ...question, pieces: days })) : {},
    question.types.includes(4) ? numbersOf(events, visitorsSql(visited, question)) : {},
  ])
}

/** Daily visitors are not stored per domain or zone. */
const isOfWholeSites = ({ scope, narrowing }: Asked) =>
  narrowing.clause === undefined && scope.domains === null && scope.zones === null

async function numbersOf(events: ClickHouseClient, { sql, params }: Clause): Promise<Numbers> {
  const rows = await queryRows<Numbers>(events, sql, params)
  return rows[0] ?? {}
}
