/** A chart, a top list or the ranks as CSV: the same numbers as on screen, from the same questions. */

import type { Cell } from '@breakwater/contract/csv.ts'
import type { Parsed } from '@breakwater/contract/endpoint.ts'
import { timeSeriesPageSizeMax } from '@breakwater/contract/paging.ts'
import { type statistics, topMax } from '@breakwater/contract/statistics/statistics.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { EventScope } from '../events/scope.ts'
import type { Asked } from './pieces.ts'
import {
  type RankQuestion,
  rankQuestion,
  type SeriesType,
  seriesQuestion,
  type TopQuestion,
  type TopType,
  topQuestion,
} from './question.ts'
import { answerRanks, type Rank } from './ranks.ts'
import { answerSeries, seriesMeasures } from './series.ts'
import type { Top } from './tops.ts'

type Body = Parsed<(typeof statistics)['listExport']>['body']
type Named = { siteName: string }
/** `head` lists column keys; lines are streamed. */
export type Sheet = { head: string[]; lines: Iterable<Cell[]> | AsyncIterable<Cell[]> }

/** Ranks read and written at a time. */
const rankPage = 1_000
const ranksMax = 50_000

export async function exportSheet(
  events: ClickHouseClient,
  body: Body,
  scope: EventScope,
  countedSince: number,
  completeUntil: (question: Asked, to: number) => Promise<number>,
  named: {
    ranks: (ranks: Rank[]) => Promise<(Rank & Named)[]>
    tops: (question: TopQuestion) => Promise<Top[]>
  },
): Promise<Sheet> {
  const { of, type, minutesStep, countType, ...asked } = body
  const now = Date.now()
  if (of === 'timeSeries') {
    const paging = { page: 1, pageSize: timeSeriesPageSizeMax }
    const question = seriesQuestion({ ...asked, ...paging, minutesStep, type: type as SeriesType }, scope, now, {
      countedSince,
    })
    const columns = Object.keys(seriesMeasures[question.type])
    const { range, buckets } = question
    const [points, until] = await Promise.all([answerSeries(events, question), completeUntil(question, range.to)])
    const line = ({ time, value }: (typeof points)[0]) => [
      new Date(time * 1000).toISOString(),
      ...columns.map((column) => value[column] ?? 0),
      // A step may be over while nodes have not uploaded all of it yet.
      Math.min(time + buckets.seconds, range.to) <= until ? 1 : 0,
    ]
    return { head: ['time', ...columns, 'complete'], lines: points.map(line) }
  }
  if (of === 'top') {
    const question = topQuestion({ ...asked, countType, top: topMax, type: type as TopType }, scope, now, countedSince)
    const rows = await named.tops(question)
    return { head: ['name', countType], lines: rows.map(({ name, value, label }) => [label ?? name, value]) }
  }
  const ranked = { page: 1, pageSize: rankPage, sortBy: 'reqCount', orderBy: 'desc', type: 1 } as const
  const question = rankQuestion({ ...asked, ...ranked }, scope, now)
  return {
    head: ['domainName', 'siteName', 'reqCount', 'traffic', 'cache', 'bandwidth', 'upstreamCount'],
    lines: rankLines(events, question, named.ranks),
  }
}

async function* rankLines(
  events: ClickHouseClient,
  question: RankQuestion,
  nameRanks: (ranks: Rank[]) => Promise<(Rank & Named)[]>,
): AsyncGenerator<Cell[]> {
  for (let offset = 0; offset < ranksMax; offset += rankPage) {
    const { data } = await answerRanks(events, { ...question, offset })
    for (const rank of await nameRanks(data)) {
      yield [
        rank.domainName,
        rank.siteName,
        rank.reqCount,
        rank.traffic,
        rank.cache,
        rank.bandwidth,
        rank.upstreamCount,
      ]
    }
    if (data.length < rankPage) return
  }
}
