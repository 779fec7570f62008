/** Has the lab judge each logged request of a site in order, and counts what the rule does. */
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import type { Backtest } from '@breakwater/contract/firewall/backtest.ts'
import type { Services } from '../process/services.ts'
import type { Rendered } from '../publish/render.ts'
import type { Scores } from '../reputation/reputation.ts'
import { openLabRun } from './lab-run.ts'
import { type LoggedColumns, planReading, readSlice, type Slice } from './logged-traffic.ts'
import { makeTally, type TriedGuard } from './tally.ts'

export type Trial = {
  site: number
  span: Slice
  /** The site with the rule inserted; `guard` is the list that has the rule, `rule` its id there. */
  rendered: Rendered
  /** The site without any other rule. */
  alone: Rendered
  guard: TriedGuard
  rule: number
  /** Whether the rule acts by letting requests pass. */
  letsPass: boolean
  /** The current scores of addresses. */
  scores: Scores
  /** Called after each slice: whether to end with what was counted so far. */
  isOver: () => boolean
}

type Parts = Pick<Services, 'events'> & { logger: Pick<Services['logger'], 'warn'>; dataFolder: string }

/** Guards that check logged headers. */
const ofHeaders = ['agentRules', 'headerRules', 'antiHeaders', 'antiReferers']

/** Whether any rule of the site or of one of its domains checks headers. */
function looksAtHeaders({ artefact, objects }: Rendered): boolean {
  const { parts, domains } = JSON.parse(artefact.bytes.toString()) as Artefact
  if (domains.some(({ luaAcls }) => luaAcls !== undefined)) return true
  return [parts.firewall, ...domains.map(({ firewall }) => firewall)].some((hash) => {
    const bytes = hash && objects.get(hash)
    const part = bytes ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {}
    return ofHeaders.some((guard) => part[guard] !== undefined)
  })
}

/** Throws 202001 if the lab is unavailable or fails. */
export async function tryRule(parts: Parts, trial: Trial): Promise<Omit<Backtest, 'took'>> {
  const { events, dataFolder, logger } = parts
  const { site, span, rendered, alone, guard, rule, scores, isOver } = trial
  const hasHeaders = looksAtHeaders(rendered)
  const plan = await planReading(events, site, span)
  const lab = await openLabRun(dataFolder, { rendered, alone }, { guard, rule }, logger)
  const tally = makeTally(trial.letsPass)
  const read = (i: number) => {
    const slice = plan.slices[i]
    const asked = slice && readSlice(events, site, slice, hasHeaders)
    // If the lab fails in the meantime, nothing awaits this promise any more.
    asked?.catch(() => undefined)
    return asked
  }
  let toMs = span.fromMs
  let isPartial = false
  try {
    // The next slice is read while the lab judges this one.
    let next = read(0)
    for (let i = 0; next !== undefined && !isPartial; i++) {
      const { text, columns }: { text: string; columns: LoggedColumns } = await next
      next = read(i + 1)
      const verdicts = await lab.judge(text, scores(columns[5]))
      const { factor, toMs: endMs } = plan.slices[i]!
      tally.add(columns, verdicts, factor)
      const stoppedAt = columns[0][verdicts.codes.length]
      // If expressions are so slow that a batch is not finished in time, the next one will not be faster.
      isPartial = stoppedAt !== undefined || (next !== undefined && isOver())
      toMs = stoppedAt === undefined ? endMs : Math.max(span.fromMs, stoppedAt * 1000)
    }
  } finally {
    await lab.end()
  }
  if (!isPartial) toMs = span.toMs
  const { rows, ...counted } = tally.result(span.fromMs, span.toMs)
  return {
    from: new Date(span.fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    sampled: { isSampled: plan.oneIn > 1, oneIn: plan.oneIn, rows, of: plan.rows },
    isPartial,
    ...counted,
  }
}
