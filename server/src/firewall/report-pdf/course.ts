/** The course of an attack to scale: bars of requests over time, and the labels of its axes. */
import type { AttackReport } from '@breakwater/contract/firewall/attacks.ts'
import type { Format } from '@breakwater/contract/format.ts'

export type Bar = { startMs: number; passed: number; stopped: number }
/** `at` is a fraction of the axis length. */
export type Tick = { at: number; label: string }
export type Scale = {
  bars: Bar[]
  startMs: number
  spanMs: number
  /** The time span of one bar. */
  stepMs: number
  /** The number of requests at the upper end. */
  most: number
  amounts: Tick[]
  times: Tick[]
}

const timesMax = 6
const stepMaxMs = 60_000
const dayMs = 86_400_000

export function scaleOf({ series, until }: AttackReport, format: Format): Scale {
  const bars = series.map(({ time, requests, stopped }) => ({
    ...{ startMs: Date.parse(time), passed: Math.max(0, requests - stopped), stopped },
  }))
  const stepMs = stepOf(bars)
  const startMs = bars[0]?.startMs ?? Date.parse(until)
  const spanMs = Math.max(Date.parse(until), (bars.at(-1)?.startMs ?? startMs) + stepMs) - startMs
  const most = roundUp(Math.max(1, ...bars.map(({ passed, stopped }) => passed + stopped)))
  const timeOf = spanMs > dayMs ? format.dayClock : format.clockSeconds
  // As many labels as there are distinct times to show.
  const times = bars.length === 0 ? 0 : Math.max(2, Math.min(timesMax, Math.floor(spanMs / 1000) + 1))
  const shares = Array.from({ length: times }, (_, index) => index / (times - 1))
  return {
    ...{ bars, startMs, spanMs, stepMs, most },
    amounts: (most > 1 ? [0, 0.5, 1] : [0, 1]).map((at) => ({ at, label: format.compact(at * most) })),
    times: shares.map((at) => ({ at, label: timeOf(startMs + at * spanMs) })),
  }
}

/** The next round number of at least `value` whose half is easy to read, too. */
function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const steps = power < 100 ? [1, 2, 4, 6, 8, 10] : [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
  return steps.map((step) => step * power).find((round) => round >= value)!
}

/** The shortest time between two bars: times without requests have no bar. */
const stepOf = (bars: readonly Bar[]): number =>
  Math.min(stepMaxMs, ...bars.slice(1).map(({ startMs }, index) => startMs - bars[index]!.startMs))
