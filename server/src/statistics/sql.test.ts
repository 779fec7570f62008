import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { expect, test } from 'vitest'
import { cardsSql } from './cards.ts'
import { splitDays } from './days.ts'
import { visitorsSql } from './pieces.ts'
import { cardsQuestion, seriesQuestion, topQuestion } from './question.ts'
import { hourPieces } from './range.ts'
import { seriesSql } from './series.ts'
import { columnTopSql, listTopSql } from './tops.ts'

const now = Date.parse('2026-11-21T14:37:12Z')
const times = { startTime: now - 4 * 3_600_000, endTime: now }
const scope = { sites: [7], domains: null, zones: null }
const narrow = { sites: [7, 8], domains: ['www.example.com', '*.example.net'], zones: [3] }
const filter = StatisticsFilter.parse({})
const asked = { filter, siteIDs: [], domainIDs: [], zoneIDs: [], ...times }

/** A statement with its parameters, as a readable file. */
const text = ({ sql, params }: { sql: string; params: object }) =>
  `${sql}\n\n${Object.entries(params)
    .map(([name, value]) => `-- ${name} = ${JSON.stringify(value)}`)
    .join('\n')}\n`

test('the SQL of a time series', async () => {
  const question = seriesQuestion({ type: 2, minutesStep: 60, page: 1, pageSize: 26_784, ...asked }, narrow, now)
  await expect(text(seriesSql(question))).toMatchFileSnapshot('sql/series-requests-hourly.sql')
  const minutes = seriesQuestion({ type: 101, minutesStep: 1, page: 1, pageSize: 26_784, ...asked }, scope, now)
  await expect(text(seriesSql(minutes))).toMatchFileSnapshot('sql/series-traffic-by-minute.sql')
})

test('the SQL of cards', async () => {
  const question = cardsQuestion({ type: [5, 4], ...asked }, scope, now)
  await expect(text(cardsSql([5], question))).toMatchFileSnapshot('sql/card-status.sql')
  await expect(text(visitorsSql(question.pieces, question))).toMatchFileSnapshot('sql/card-visitors.sql')
})

test('the SQL of cards over closed days and one that is open', async () => {
  const week = { ...asked, startTime: now - 7 * 86_400_000 }
  const question = cardsQuestion({ type: [3, 14], ...week }, scope, now)
  const midnight = Date.parse('2026-11-21T00:00:00Z') / 1000
  const closed = [6, 5, 3, 2, 1].map((ago) => ({ day: midnight - ago * 86_400, build: 1000 + ago }))
  const pieces = splitDays(question.pieces, closed)
  await expect(text(cardsSql([3, 14], { ...question, pieces }))).toMatchFileSnapshot('sql/cards-of-days.sql')
})

test('the SQL of top lists', async () => {
  const question = topQuestion({ type: 25, top: 5, countType: 'reqCount', ...asked }, scope, now)
  const { from } = question.range
  const closed = [{ from: Math.ceil(from / 3600) * 3600, to: Math.ceil(from / 3600) * 3600 + 7200 }]
  await expect(text(listTopSql(question, 'refusedAddress', closed))).toMatchFileSnapshot('sql/top-attack-ips.sql')
  await expect(
    text(
      columnTopSql(question, { column: 'domain', of: "action IN ('block', 'challenge')" }, hourPieces(question.range)),
    ),
  ).toMatchFileSnapshot('sql/top-attack-domains.sql')
})
