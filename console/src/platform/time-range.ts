/** The time range in the URL: a preset that moves on, or two points in time. Resolved to whole buckets. */
import { useEffect, useMemo, useState } from 'react'
import { z } from 'zod'
import { ZoneText, zoneOffset } from './time-zone.ts'

export const presetNames = ['15m', '1h', '3h', '6h', '24h', '7d', '30d', 'month'] as const

/** `45m`, `12h`, `90d`: this long up to now. `month` is the current month so far. */
const relative = /^([1-9]\d{0,3})(m|h|d)$/
const minutesOf = { m: 1, h: 60, d: 1440 } as const
const daysMax = 750

/** Returns the minutes of a relative range; undefined if it is not one. */
export function relativeMinutes(range: string): number | undefined {
  const match = relative.exec(range)
  const minutes = match ? Number(match[1]) * minutesOf[match[2] as keyof typeof minutesOf] : Number.NaN
  return minutes >= 5 && minutes <= daysMax * 1440 ? minutes : undefined
}

/** A preset, or a duration up to now. */
export const RangeText = z.string().refine((range) => range === 'month' || relativeMinutes(range) !== undefined)

/** `from` and `to` in epoch seconds, if the range was selected or typed; `tz` if it is not the browser's zone. */
export const RangeSearch = z.object({
  range: RangeText.catch('24h'),
  from: z.number().int().positive().optional().catch(undefined),
  to: z.number().int().positive().optional().catch(undefined),
  tz: ZoneText,
})
export type RangeState = Omit<z.output<typeof RangeSearch>, 'tz'> & { tz?: string | undefined }

/** Epoch seconds, and the step in minutes that gives a chart a few hundred points. */
export type Range = { startTime: number; endTime: number; minutesStep: 1 | 5 | 15 | 30 | 60 | 1440 }

const pointsMax = 300
const day = 86_400

/** Rounding of a live end, so that the blocks of a page share the same query, in seconds. */
const liveSeconds = 10

/** `isLive`: a relative range ends now, for numbers that state how far they reach. */
export function resolveRange(state: RangeState, nowMs: number, isLive = false): Range {
  const { range, from, to, tz } = state
  const now = nowMs / 1000
  const isDrawn = from !== undefined && to !== undefined && from < to
  const start = isDrawn ? from : startOf(range, now, tz)
  const end = isDrawn ? to : now
  const minutes = (end - start) / 60
  const minutesStep = ([1, 5, 15, 60, 1440] as const).find((step) => Math.floor(minutes / step) <= pointsMax) ?? 1440
  // Both ends are rounded down to a bucket, so that an incomplete one does not appear as a dip; with steps of a minute,
  // to a minute.
  const bucket = minutesStep === 1 ? 60 : 300
  const down = (seconds: number, by = bucket) => Math.floor(seconds / by) * by
  const endTime = isLive && !isDrawn ? down(end, liveSeconds) : down(end)
  const startTime = Math.min(down(start), down(end) - bucket)
  // A relative range starts with a whole step, a day at midnight; a selected one is kept.
  if (isDrawn || minutesStep < 60) return { startTime, endTime, minutesStep }
  const offset = zoneOffset(startTime, tz)
  const whole = minutesStep === 60 ? down(startTime, 3600) : down(startTime + offset, day) - offset
  return { startTime: whole, endTime, minutesStep }
}

function startOf(range: string, now: number, tz: string | undefined): number {
  if (range !== 'month') return now - (relativeMinutes(range) ?? 1440) * 60
  const offset = zoneOffset(now, tz)
  const date = new Date((now + offset) * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000 - offset
}

/** The previous range of the same length, so that both have the same number of points. */
export function rangeBefore({ startTime, endTime, minutesStep }: Range): Range {
  const step = minutesStep * 60
  const shift = Math.ceil((endTime - startTime) / step) * step
  return { startTime: startTime - shift, endTime: endTime - shift, minutesStep }
}

/** Twice the range around its middle, not beyond now. */
export function zoomedOut({ startTime, endTime }: Range, nowMs = Date.now()): { from: number; to: number } {
  const half = Math.ceil((endTime - startTime) / 2)
  const to = Math.min(endTime + half, Math.floor(nowMs / 1000))
  return { from: to - 4 * half, to }
}

/** Moves by half a range, not beyond now. */
export function shifted({ startTime, endTime }: Range, side: -1 | 1, nowMs = Date.now()): { from: number; to: number } {
  const half = Math.ceil((endTime - startTime) / 2)
  const by = side === -1 ? -half : Math.min(half, Math.floor(nowMs / 1000) - endTime)
  return { from: startTime + by, to: endTime + by }
}

/**
 * The current range, live (`resolveRange`). A preset moves on with the clock while the page is visible; never if
 * `everyMs` is undefined.
 */
export function useRange(state: RangeState, everyMs: number | undefined): Range {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  const { startTime, endTime, minutesStep } = resolveRange(state, now, true)
  return useMemo(() => ({ startTime, endTime, minutesStep }), [startTime, endTime, minutesStep])
}
