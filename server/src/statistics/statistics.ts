/** Statistics: cards, time series, top lists and the ranked domains. No chart reads raw rows if a rollup can answer. */
import { cardTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import type { Database } from '../db/database.ts'
import { makeCompleteUntil } from '../events/complete-until.ts'
import { resolveScope } from '../events/scope.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { answerCards } from './cards.ts'
import { makeCountedSince } from './counted-since.ts'
import { answerDomainHours } from './domain-hours.ts'
import { exportSheet } from './export.ts'
import { headOf } from './export-words.ts'
import type { Asked } from './pieces.ts'
import { cardsQuestion, rankQuestion, seriesQuestion, topQuestion } from './question.ts'
import type { Piece } from './range.ts'
import { answerRanks, type Rank } from './ranks.ts'
import { answerSeries } from './series.ts'
import { answerLabelled } from './tops.ts'

export function statisticsFeature({ events, database }: Pick<Services, 'events' | 'database'>): Feature {
  const completeUntil = makeCompleteUntil(database.db)
  const countedSince = makeCountedSince(events)
  /**
   * Up to when an answer is complete: the end of the requested range, or how far the nodes have uploaded its data
   * source.
   */
  const untilOf = async ({ scope, countedSince: since }: Asked, to: number) => {
    const { rows, counters } = await completeUntil(scope.sites)
    return Math.floor(Math.min(to, since !== undefined && since < to ? counters : rows))
  }
  return implementOpen(statistics, {
    async info({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = cardsQuestion(body, scope, Date.now(), await countedSince())
      const end = endOf(question.pieces)
      const [data, known, visited] = await Promise.all([
        answerCards(events, question),
        untilOf(question, end),
        untilOf({ ...question, countedSince: undefined }, end),
      ])
      const untils = Object.fromEntries(question.types.map((type) => [type, type === cardTypes.ip ? visited : known]))
      return { data, until: Math.min(...Object.values(untils)), untils }
    },

    async timeSeries({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = seriesQuestion(body, scope, Date.now(), { countedSince: await countedSince(), isLive: true })
      const until = await untilOf(question, question.range.to)
      const data = await answerSeries(events, question, until)
      const unknown = question.last - question.first - data.length
      return { data, total: question.buckets.count - unknown, minutesStep: question.step, until }
    },

    async top({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = topQuestion(body, scope, Date.now(), await countedSince())
      const [data, until] = await Promise.all([
        answerLabelled(events, database.db, question),
        untilOf(question, question.range.to),
      ])
      return { data, total: data.length, until }
    },

    async list({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = rankQuestion(body, scope, Date.now())
      const [{ data, total }, until] = await Promise.all([
        answerRanks(events, question),
        untilOf(question, question.range.to),
      ])
      return { data: await transact((db) => withSiteNames(db, data)), total, until }
    },

    async domainHours({ transact, caller, body }) {
      const { scope, rows } = await transact(async (db) => ({
        scope: await resolveScope(db, caller.tier, { siteIDs: [], zoneIDs: [], domainIDs: body.domainIDs }),
        rows: await db
          .selectFrom('domains')
          .select(['id', 'name', 'siteId'])
          .where('id', 'in', body.domainIDs)
          .execute(),
      }))
      const data = await answerDomainHours(events, rows, scope, Date.now())
      return { data, total: data.length }
    },

    async listExport({ transact, caller, body, request, answerFile }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const nameRanks = (ranks: Rank[]) => transact((db) => withSiteNames(db, ranks))
      const sheet = await exportSheet(events, body, scope, await countedSince(), untilOf, {
        ranks: nameRanks,
        tops: (question) => answerLabelled(events, database.db, question),
      })
      const name = `statistics-${body.of}-${body.type}`
      answerFile({ name, head: sheet.head.map(headOf(request)), lines: sheet.lines })
    },
  })
}

const endOf = (pieces: Piece[]): number => pieces.at(-1)?.to ?? 0

/** Runs as the caller: a site that it may not see has no name. */
async function withSiteNames(db: Database, ranks: Rank[]): Promise<(Rank & { siteName: string })[]> {
  const ids = [...new Set(ranks.map(({ siteID }) => siteID))]
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('sites').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ranks.map((rank) => ({ ...rank, siteName: names.get(rank.siteID) ?? '' }))
}
