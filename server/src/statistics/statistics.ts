/** Statistics: cards, time series, top lists and the domains by rank. No chart reads raw rows when a rollup can answer. */
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import type { Database } from '../db/database.ts'
import { resolveScope } from '../events/scope.ts'
import { sendCsv } from '../http/csv.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { answerCards } from './cards.ts'
import { exportSheet } from './export.ts'
import { headOf } from './export-words.ts'
import { cardsQuestion, rankQuestion, seriesQuestion, topQuestion } from './question.ts'
import { answerRanks, type Rank } from './ranks.ts'
import { answerSeries } from './series.ts'
import { answerTop } from './tops.ts'

export function statisticsFeature({ events }: Pick<Services, 'events'>): Feature {
  return implementOpen(statistics, {
    async info({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      return answerCards(events, cardsQuestion(body, scope, Date.now()))
    },

    async timeSeries({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = seriesQuestion(body, scope, Date.now())
      const data = await answerSeries(events, question)
      return { data, total: question.buckets.count, minutesStep: question.step, until: question.range.to }
    },

    async top({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const data = await answerTop(events, topQuestion(body, scope, Date.now()))
      return { data, total: data.length }
    },

    async list({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const { data, total } = await answerRanks(events, rankQuestion(body, scope, Date.now()))
      return { data: await transact((db) => withSiteNames(db, data)), total }
    },

    async listExport({ transact, caller, body, request, reply }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const nameRanks = (ranks: Rank[]) => transact((db) => withSiteNames(db, ranks))
      const sheet = await exportSheet(events, body, scope, nameRanks)
      sendCsv(reply, `statistics-${body.of}-${body.type}`, sheet.head.map(headOf(request)), sheet.lines)
    },
  })
}

/** Runs as the caller: a site that it may not know has no name. */
async function withSiteNames(db: Database, ranks: Rank[]): Promise<(Rank & { siteName: string })[]> {
  const ids = [...new Set(ranks.map(({ siteID }) => siteID))]
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('sites').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ranks.map((rank) => ({ ...rank, siteName: names.get(rank.siteID) ?? '' }))
}
