/** A question to the statistics as a value: what a call asks, with times rounded, steps chosen and the scope resolved. */

import type { Parsed } from '@breakwater/contract/endpoint.ts'
import { timeSeriesPageSizeMax } from '@breakwater/contract/paging.ts'
import type { cardTypes, seriesTypes, statistics, topTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { EventScope } from '../events/scope.ts'
import {
  type Buckets,
  bucketsOf,
  hourPieces,
  type Piece,
  type Range,
  raiseStep,
  roundRange,
  type Step,
  seriesPieces,
} from './range.ts'

export type CardType = (typeof cardTypes)[keyof typeof cardTypes]
export type SeriesType = (typeof seriesTypes)[keyof typeof seriesTypes]
export type TopType = (typeof topTypes)[keyof typeof topTypes]

export type CardQuestion = { type: CardType; scope: EventScope; pieces: Piece[] }
export type SeriesQuestion = {
  type: SeriesType
  scope: EventScope
  pieces: Piece[]
  step: Step
  buckets: Buckets
  /** The page's buckets; `last` is exclusive. */
  first: number
  last: number
}
export type TopQuestion = { type: TopType; scope: EventScope; range: Range; top: number; by: 'requests' | 'bytesSent' }

type Body<Name extends keyof typeof statistics> = Parsed<(typeof statistics)[Name]>['body']

export function cardQuestions(body: Body<'info'>, scope: EventScope, nowMs: number): CardQuestion[] {
  const pieces = hourPieces(roundRange(body.startTime, body.endTime, nowMs))
  const types = Array.isArray(body.type) ? body.type : [body.type]
  return [...new Set(types)].map((type) => ({ type, scope, pieces }))
}

export function seriesQuestion(body: Body<'timeSeries'>, scope: EventScope, nowMs: number): SeriesQuestion {
  const step = raiseStep(
    roundRange(body.startTime, body.endTime, nowMs, 60),
    body.minutesStep,
    timeSeriesPageSizeMax,
    nowMs,
  )
  const range = roundRange(body.startTime, body.endTime, nowMs, step === 1 ? 60 : 300)
  const buckets = bucketsOf(range, step)
  const first = Math.min((body.page - 1) * body.pageSize, buckets.count)
  const last = Math.min(first + body.pageSize, buckets.count)
  const shown = {
    from: Math.max(range.from, buckets.origin + first * buckets.seconds),
    to: Math.min(range.to, buckets.origin + last * buckets.seconds),
  }
  return { type: body.type, scope, pieces: seriesPieces(shown, step), step, buckets, first, last }
}

export function topQuestion(body: Body<'top'>, scope: EventScope, nowMs: number): TopQuestion {
  return {
    type: body.type,
    scope,
    range: roundRange(body.startTime, body.endTime, nowMs),
    top: body.top,
    by: body.countType === 'traffic' ? 'bytesSent' : 'requests',
  }
}
