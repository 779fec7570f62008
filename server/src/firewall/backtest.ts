/**
 * Trying a rule on the traffic of the last hours before it is saved: the site as it would be with the rule, rendered as
 * for a node, asked in the lab edge about each logged request by the guards that decide live ones.
 */
import { backtest, backtestRowsMax, backtestSecondsMax } from '@breakwater/contract/firewall/backtest.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { gatherDocument } from '../publish/document.ts'
import { renderArtefact } from '../publish/render.ts'
import { openLabRun } from './lab-run.ts'
import { type LoggedColumns, planReading, readSlice } from './logged-traffic.ts'
import { makeTally } from './tally.ts'
import { withRule } from './tried-document.ts'

/** Of all tenants together: each keeps a core of the event store and the lab busy. */
const runsMax = 3
const hourMs = 3_600_000

export function backtestFeature({ env, events, logger }: Services): Feature {
  const running = new Set<number>()

  return implementOpen(backtest, {
    async run({ transact, caller, siteId, body, reply }) {
      const startedMs = performance.now()
      const now = new Date()
      const { rendered, guard, rule } = await transact(async (db) => {
        const { revision } = await requireSite(db, siteId)
        const { document, guard, id } = withRule(await gatherDocument(db, siteId), body, body.id, now)
        return { rendered: renderArtefact(document, revision, env.allowOrigins), guard, rule: id }
      })
      if (running.has(caller.tenantId)) throw new Fault('itemsExceedLimit', { max: 1 }, { status: 429 })
      if (running.size >= runsMax) throw new Fault('itemsExceedLimit', { max: runsMax }, { status: 429 })
      running.add(caller.tenantId)
      try {
        const span = { fromMs: now.getTime() - body.hours * hourMs, toMs: now.getTime() }
        const plan = await planReading(events, siteId, span, backtestRowsMax)
        const lab = await openLabRun(env.dataFolder, rendered, { guard, rule, factor: plan.oneIn }, logger)
        const tally = makeTally(guard, plan.oneIn)
        const isOver = () => performance.now() - startedMs > backtestSecondsMax * 1000 || reply.raw.destroyed
        const read = (i: number) => {
          const slice = plan.slices[i]
          const asked = slice && readSlice(events, siteId, slice, plan.oneIn)
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
            tally.add(columns, await lab.judge(text))
          }
        } finally {
          await lab.end()
        }
        const isPartial = seen < plan.slices.length
        const toMs = isPartial ? (plan.slices[seen - 1]?.toMs ?? span.fromMs) : span.toMs
        const { rows, ...counted } = tally.result(span.fromMs, toMs)
        return {
          from: new Date(span.fromMs).toISOString(),
          to: new Date(toMs).toISOString(),
          sampled: { isSampled: plan.oneIn > 1, oneIn: plan.oneIn, rows, of: plan.rows },
          isPartial,
          ...counted,
          took: Math.round(performance.now() - startedMs),
        }
      } finally {
        running.delete(caller.tenantId)
      }
    },
  })
}
