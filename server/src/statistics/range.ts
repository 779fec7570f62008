/**
 * Time ranges of statistics: rounding, steps, and which rollup is used for which piece of a range. All in epoch
 * seconds.
 */
import { minutesSteps } from '@breakwater/contract/statistics/statistics.ts'

/** `to` is exclusive. */
export type Range = { from: number; to: number }
export type Rollup = 'minute' | 'fiveMinutes' | 'hour'
/** Days are read as they were closed: `builds` identifies the builds. */
export type Piece = Range & ({ rollup: Rollup } | { rollup: 'day'; builds: number[] })
export type Step = (typeof minutesSteps)[number]

const hour = 3_600
const day = 86_400
/** Ranges are rounded to this. */
const bucketSeconds = 300

/** How far back each rollup is used, slightly less than its table keeps. */
const kept: Record<Rollup, number> = { minute: 7 * day, fiveMinutes: 95 * day, hour: 750 * day }

const down = (time: number, by: number) => Math.floor(time / by) * by
const up = (time: number, by: number) => Math.ceil(time / by) * by

/**
 * Rounds both ends down to five minutes, so that the last bucket, still filling, is not shown as a dip; an empty range
 * is widened to one bucket. Times in the future, or before the retention, are cut off. A series by the minute has
 * buckets of a minute.
 */
export function roundRange(startMs: number, endMs: number, nowMs: number, bucket: 60 | 300 = bucketSeconds): Range {
  const now = down(nowMs / 1000, bucket)
  const to = Math.min(down(endMs / 1000, bucket), now)
  let from = Math.max(down(startMs / 1000, bucket), now - kept.hour)
  if (from < now - kept.fiveMinutes) from = down(from, hour)
  return from < to ? { from, to } : { from: Math.min(from, now), to: Math.min(from, now) + bucket }
}

/** Includes the bucket that is still filling, if the range ends in it: for a series that reports how complete it is. */
export function liveRange(startMs: number, endMs: number, nowMs: number, bucket: 60 | 300): Range {
  const range = roundRange(startMs, endMs, nowMs, bucket)
  const filling = down(nowMs / 1000, bucket)
  return endMs / 1000 > filling && range.to === filling ? { ...range, to: filling + bucket } : range
}

/** The range in whole five minutes, or undefined if those are not kept that far back. */
export function fiveMinutesRange(startMs: number, endMs: number, nowMs: number): Range | undefined {
  const range = roundRange(startMs, endMs, nowMs)
  return nowMs / 1000 - range.from > kept.fiveMinutes ? undefined : range
}

/** Whole hours are read from the hourly rollup, the rest at the ends from the five-minute one. */
export function hourPieces({ from, to }: Range): Piece[] {
  const first = up(from, hour)
  const last = down(to, hour)
  if (first >= last) return [{ rollup: 'fiveMinutes', from, to }]
  const pieces: Piece[] = [
    { rollup: 'fiveMinutes', from, to: first },
    { rollup: 'hour', from: first, to: last },
    { rollup: 'fiveMinutes', from: last, to },
  ]
  return pieces.filter((piece) => piece.from < piece.to)
}

/**
 * Shorter ranges begin at the exact minute: for longer ones the first bucket is too small a share to be worth reading
 * another table.
 */
const exactSeconds = 6 * hour

/**
 * A range that ends now, for numbers without buckets: includes the bucket that is still filling. Undefined if it ends
 * before that bucket.
 */
export function livePieces(startMs: number, endMs: number, nowMs: number): Piece[] | undefined {
  const filling = down(nowMs / 1000, bucketSeconds)
  if (endMs / 1000 <= filling || startMs / 1000 >= filling) return undefined
  const to = filling + bucketSeconds
  if (to - startMs / 1000 > exactSeconds) return hourPieces({ ...roundRange(startMs, endMs, nowMs), to })
  const from = down(startMs / 1000, 60)
  const first = up(from, bucketSeconds)
  const rest = hourPieces({ from: first, to })
  return from < first ? [{ rollup: 'minute', from, to: first }, ...rest] : rest
}

export function seriesPieces(range: Range, step: Step): Piece[] {
  if (step === 1) return [{ rollup: 'minute', ...range }]
  if (step < 60) return [{ rollup: 'fiveMinutes', ...range }]
  return hourPieces(range)
}

/**
 * Points are at multiples of their step; days begin where the range begins, so that they match the caller's time zone.
 */
export type Buckets = { origin: number; seconds: number; count: number }

export function bucketsOf({ from, to }: Range, step: Step): Buckets {
  const seconds = step * 60
  const origin = step === 1440 ? down(from, hour) : down(from, seconds)
  return { origin, seconds, count: Math.ceil((to - origin) / seconds) }
}

/** The step, raised until its rollup reaches back far enough and there are not too many points. */
export function raiseStep(range: Range, asked: Step, pointsMax: number, nowMs: number): Step {
  const age = nowMs / 1000 - range.from
  const fits = (step: Step) => {
    const reach = step === 1 ? kept.minute : step < 60 ? kept.fiveMinutes : kept.hour + day
    return age <= reach && bucketsOf(range, step).count <= pointsMax
  }
  return minutesSteps.find((step) => step >= asked && fits(step)) ?? 1440
}
