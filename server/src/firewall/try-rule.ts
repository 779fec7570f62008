/** Asks the lab about each logged request of a site in turn, and counts what the rule does. */
import type { Backtest, BacktestKind } from '@breakwater/contract/firewall/backtest.ts'
import type { Services } from '../http/services.ts'
import type { Rendered } from '../publish/render.ts'
import { openLabRun } from './lab-run.ts'
import { type LoggedColumns, planReading, readSlice, type Slice } from './logged-traffic.ts'
import { makeTally } from './tally.ts'

export type Trial = {
  site: number
  span: Slice
  /** The site with the rule in it, the list that the rule is in, and its id there. */
  rendered: Rendered
  guard: BacktestKind
  rule: number
  /** Asked before each slice: whether to end with what was seen. */
  isOver: () => boolean
}

type Parts = Pick<Services, 'events'> & { logger: Pick<Services['logger'], 'warn'>; dataFolder: string }

/** Throws 202001 where the lab is away or fails. */
export async function tryRule(parts: Parts, trial: Trial): Promise<Omit<Backtest, 'took'>> {
  const { events, dataFolder, logger } = parts
  const { site, span, rendered, guard, rule, isOver } = trial
  const plan = await planReading(events, site, span)
  const lab = await openLabRun(dataFolder, rendered, { guard, rule }, logger)
  const tally = makeTally(guard)
  const read = (i: number) => {
    const slice = plan.slices[i]
    const asked = slice && readSlice(events, site, slice)
    // Where the lab fails meanwhile nobody waits for it any more.
    asked?.catch(() => undefined)
    return asked
  }
  let seen = 0
  try {
    // The next slice is read while the lab is at this one.
    for (let next = read(0); next !== undefined && !isOver(); seen++) {
      const { text, columns }: { text: string; columns: LoggedColumns } = await next
      next = read(seen + 1)
      tally.add(columns, await lab.judge(text), plan.slices[seen]!.factor)
    }
  } finally {
    await lab.end()
  }
  const isPartial = seen < plan.slices.length
  const toMs = isPartial ? (plan.slices[seen - 1]?.toMs ?? span.fromMs) : span.toMs
  const { rows, ...counted } = tally.result(span.fromMs, span.toMs)
  return {
    from: new Date(span.fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    sampled: { isSampled: plan.oneIn > 1, oneIn: plan.oneIn, rows, of: plan.rows },
    isPartial,
    ...counted,
  }
}
