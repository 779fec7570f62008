/** The domains ranked by traffic: Question → SQL → rows. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { withDays } from './days.ts'
import { hits, named } from './measures.ts'
import { requestSource } from './pieces.ts'
import type { RankQuestion } from './question.ts'

export type Rank = {
  domainName: string
  siteID: number
  reqCount: number
  traffic: number
  cache: number
  bandwidth: number
  upstreamCount: number
}

const measures = {
  reqCount: 'sum(requests)',
  traffic: 'sum(bytesSent)',
  cache: hits,
  upstreamCount: 'sum(originRequests)',
}

export function rankSql({ pieces, range, offset, limit, by, order, ...asked }: RankQuestion): Clause {
  const source = requestSource('site, domain, cache, requests, bytesSent, originRequests', pieces, asked)
  const bandwidth = 'round(traffic * 8 / {seconds:UInt32}, 2) AS bandwidth'
  return {
    sql: `SELECT *, ${bandwidth}, count() OVER () AS total FROM (
  SELECT domain AS domainName, site AS siteID, ${named(measures)}
  FROM ${source.sql} GROUP BY domainName, siteID
) WHERE reqCount > 0
ORDER BY ${by} ${order.toUpperCase()}, domainName, siteID LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    params: { ...source.params, seconds: range.to - range.from, limit, offset },
  }
}

/** A page of the ranks, and their total. */
export async function answerRanks(
  events: ClickHouseClient,
  question: RankQuestion,
): Promise<{ data: Rank[]; total: number }> {
  if (question.scope.sites.length === 0) return { data: [], total: 0 }
  const pieces = await withDays(events, question.pieces, question)
  const { sql, params } = rankSql({ ...question, pieces })
  const rows = await queryRows<Rank & { total: number }>(events, sql, params)
  if (rows.length === 0 && question.offset > 0) {
    const { total } = await answerRanks(events, { ...question, offset: 0, limit: 1 })
    return { data: [], total }
  }
  return { data: rows.map(({ total: _, ...rank }) => rank), total: rows[0]?.total ?? 0 }
}
