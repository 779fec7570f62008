/** A range of time in the address: a preset that moves on, or two moments. Asked in whole buckets (rules L8). */
import { useEffect, useMemo, useState } from 'react'
import { z } from 'zod'

export const presets = { '15m': 15, '1h': 60, '6h': 360, '24h': 1440, '7d': 10_080, '30d': 43_200 } as const
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** `from` and `to` in epoch seconds, where a range was drawn or typed. */
export const RangeSearch = z.object({
  range: z.enum(presetNames).catch('24h'),
  from: z.number().int().positive().optional().catch(undefined),
  to: z.number().int().positive().optional().catch(undefined),
})
export type RangeState = z.output<typeof RangeSearch>

/** Epoch seconds, and the step in minutes that gives a chart some hundred points. */
export type Range = { startTime: number; endTime: number; minutesStep: 1 | 5 | 15 | 60 | 1440 }

const pointsMax = 300

export function resolveRange({ range, from, to }: RangeState, nowMs: number): Range {
  const isDrawn = from !== undefined && to !== undefined && from < to
  const minutes = isDrawn ? (to - from) / 60 : presets[range]
  const minutesStep = ([1, 5, 15, 60, 1440] as const).find((step) => minutes / step <= pointsMax) ?? 1440
  // Both ends go down to a bucket, so that one that is still filling is not shown as a dip; what is drawn by the minute, by minutes.
  const bucket = minutesStep === 1 ? 60 : 300
  const down = (seconds: number) => Math.floor(seconds / bucket) * bucket
  const endTime = down(isDrawn ? to : nowMs / 1000)
  const startTime = Math.min(down(isDrawn ? from : nowMs / 1000 - minutes * 60), endTime - bucket)
  return { startTime, endTime, minutesStep }
}

const tickMs = 30_000

/** The range as it is now; a preset moves on with the clock. */
export function useRange(state: RangeState): Range {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  const { startTime, endTime, minutesStep } = resolveRange(state, now)
  return useMemo(() => ({ startTime, endTime, minutesStep }), [startTime, endTime, minutesStep])
}
