import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { expect, test } from 'vitest'
import { cardSql } from './cards.ts'
import { cardQuestions, seriesQuestion, topQuestion } from './question.ts'
import { seriesSql } from './series.ts'
import { columnTopSql, listTopSql } from './tops.ts'

const now = Date.parse('2026-11-21T14:37:12Z')
const times = { startTime: now - 4 * 3_600_000, endTime: now }
const scope = { sites: [7], domains: null, zones: null }
const narrow = { sites: [7, 8], domains: ['www.example.com', '*.example.net'], zones: [3] }
const filter = StatisticsFilter.parse({})
const asked = { filter, siteIDs: [], domainIDs: [], zoneIDs: [], ...times }

/** A statement with its parameters, as a file one can read. */
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
  const [status, visitors] = cardQuestions({ type: [5, 4], ...asked }, scope, now)
  await expect(text(cardSql(status!))).toMatchFileSnapshot('sql/card-status.sql')
  await expect(text(cardSql(visitors!))).toMatchFileSnapshot('sql/card-visitors.sql')
})

test('the SQL of top lists', async () => {
  const question = topQuestion({ type: 25, top: 5, countType: 'reqCount', ...asked }, scope, now)
  const { from } = question.range
  const closed = [{ from: Math.ceil(from / 3600) * 3600, to: Math.ceil(from / 3600) * 3600 + 7200 }]
  await expect(text(listTopSql(question, 'refusedAddress', closed))).toMatchFileSnapshot('sql/top-attack-ips.sql')
  await expect(
    text(columnTopSql(question, { column: 'domain', of: "action IN ('block', 'challenge')" })),
  ).toMatchFileSnapshot('sql/top-attack-domains.sql')
})
