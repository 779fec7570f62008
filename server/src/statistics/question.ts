/** A statistics query as a value: the call's request, with times rounded, steps chosen and the scope resolved. */

import type { Parsed } from '@breakwater/contract/endpoint.ts'
import { timeSeriesPageSizeMax } from '@breakwater/contract/paging.ts'
import type { cardTypes, seriesTypes, statistics, topTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { EventScope } from '../events/scope.ts'
import { type Narrowing, narrow } from './narrowing.ts'
import type { Asked } from './pieces.ts'
import {
  type Buckets,
  bucketsOf,
  fiveMinutesRange,
  hourPieces,
  livePieces,
  liveRange,
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

/** Cards that are requested together. */
export type CardsQuestion = Asked & { types: CardType[]; pieces: Piece[]; peakRange: Range | undefined }
export type SeriesQuestion = Asked & {
  type: SeriesType
  nowMs: number
  range: Range
  pieces: Piece[]
  step: Step
  buckets: Buckets
  /** The page's buckets; `last` is exclusive. */
  first: number
  last: number
}
export type TopQuestion = Asked & { type: TopType; range: Range; top: number; by: 'requests' | 'bytesSent' }
export type RankQuestion = Asked & {
  range: Range
  pieces: Piece[]
  offset: number
  limit: number
  by: Body<'list'>['sortBy']
  order: 'asc' | 'desc'
}

type Body<Name extends keyof typeof statistics> = Parsed<(typeof statistics)[Name]>['body']

/** Series by guard, which no counter stores. */
const guardSeries: SeriesType[] = [13]
/** By status and by cache result. */
const countedTops: TopType[] = [104, 106]

/** Rows are kept for 30 days: queries that need them cannot go further back. */
const rowsKeptMs = 30 * 86_400_000

/** The requested times, limited to how far back the data reaches. */
function within(narrowing: Narrowing, { startTime, endTime }: { startTime: number; endTime: number }, nowMs: number) {
  const first = narrowing.reads === 'rows' ? nowMs - rowsKeptMs : 0
  return [Math.max(startTime, first), Math.max(endTime, first), nowMs] as const
}

/** Uses counters if those support the whole query. They have no domains. */
function askedOf(filter: Body<'info'>['filter'], scope: EventScope, countedSince: number | undefined): Asked {
  const narrowing = narrow(filter)
  const isCounted = narrowing.isCounted && scope.domains === null
  return { scope, narrowing, countedSince: isCounted ? countedSince : undefined }
}

export function cardsQuestion(
  body: Body<'info'>,
  scope: EventScope,
  nowMs: number,
  countedSince?: number,
): CardsQuestion {
  const asked = askedOf(body.filter, scope, countedSince)
  const { narrowing } = asked
  const moments = within(narrowing, body, nowMs)
  const pieces = livePieces(...moments) ?? hourPieces(roundRange(...moments))
  const types = Array.isArray(body.type) ? body.type : [body.type]
  return { ...asked, types: [...new Set(types)], pieces, peakRange: fiveMinutesRange(...moments) }
}

/** `isLive`: includes the step that is still filling, if the range ends in it. */
export function seriesQuestion(
  body: Body<'timeSeries'>,
  scope: EventScope,
  nowMs: number,
  { countedSince, isLive = false }: { countedSince?: number; isLive?: boolean } = {},
): SeriesQuestion {
  const asked = askedOf(body.filter, scope, guardSeries.includes(body.type) ? undefined : countedSince)
  const { narrowing } = asked
  const moments = within(narrowing, body, nowMs)
  const step = raiseStep(roundRange(...moments, 60), body.minutesStep, timeSeriesPageSizeMax, nowMs)
  const range = (isLive ? liveRange : roundRange)(...moments, step === 1 ? 60 : 300)
  const buckets = bucketsOf(range, step)
  const first = Math.min((body.page - 1) * body.pageSize, buckets.count)
  const last = Math.min(first + body.pageSize, buckets.count)
  const shown = {
    from: Math.max(range.from, buckets.origin + first * buckets.seconds),
    to: Math.min(range.to, buckets.origin + last * buckets.seconds),
  }
  return {
    ...asked,
    type: body.type,
    nowMs,
    range,
    pieces: seriesPieces(shown, step),
    step,
    buckets,
    first,
    last,
  }
}

/** In a list the last five minutes do not show as a dip: during an attack people want to see it as it begins. */
const listRange = (...moments: readonly [startMs: number, endMs: number, nowMs: number]): Range =>
  liveRange(...moments, 300)

export function topQuestion(body: Body<'top'>, scope: EventScope, nowMs: number, countedSince?: number): TopQuestion {
  const asked = askedOf(body.filter, scope, countedTops.includes(body.type) ? countedSince : undefined)
  return {
    ...asked,
    type: body.type,
    range: listRange(...within(asked.narrowing, body, nowMs)),
    top: body.top,
    by: body.countType === 'traffic' ? 'bytesSent' : 'requests',
  }
}

export function rankQuestion(body: Body<'list'>, scope: EventScope, nowMs: number): RankQuestion {
  const narrowing = narrow(body.filter)
  const range = listRange(...within(narrowing, body, nowMs))
  return {
    scope,
    narrowing,
    range,
    pieces: hourPieces(range),
    offset: (body.page - 1) * body.pageSize,
    limit: body.pageSize,
    by: body.sortBy,
    order: body.orderBy,
  }
}
