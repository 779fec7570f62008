/** Statistics: cards, time series and top lists. No chart reads raw rows when a rollup can answer. */
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import { resolveScope } from '../events/scope.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { answerCard } from './cards.ts'
import { cardQuestions, seriesQuestion, topQuestion } from './question.ts'
import { answerSeries } from './series.ts'
import { answerTop } from './tops.ts'

export function statisticsFeature({ events }: Pick<Services, 'events'>): Feature {
  return implementOpen(statistics, {
    async info({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const questions = cardQuestions(body, scope, Date.now())
      const cards = await Promise.all(questions.map((question) => answerCard(events, question)))
      return Object.fromEntries(questions.map(({ type }, i) => [type, cards[i]!]))
    },

    async timeSeries({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = seriesQuestion(body, scope, Date.now())
      const data = await answerSeries(events, question)
      return { data, total: question.buckets.count, minutesStep: question.step }
    },

    async top({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const data = await answerTop(events, topQuestion(body, scope, Date.now()))
      return { data, total: data.length }
    },
  })
}
