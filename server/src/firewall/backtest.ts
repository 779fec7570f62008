/**
 * Trying a rule on the traffic of the last hours before it is saved: the site as it would be with the rule, rendered as
 * for a node, asked in the lab edge about each logged request by the guards that decide live ones.
 */
import { backtest, backtestSecondsMax } from '@breakwater/contract/firewall/backtest.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { gatherDocument } from '../publish/gather.ts'
import { renderArtefact } from '../publish/render.ts'
import { scoresOfSite } from '../reputation/reputation.ts'
import { ruleChecks } from './rule-checks.ts'
import { withRule } from './tried-document.ts'
import { tryRule } from './try-rule.ts'

/** Of all tenants together: each keeps the event store and the lab busy. */
const runsMax = 3
const hourMs = 3_600_000

export function backtestFeature({ env, events, publisher, logger }: Services): Feature {
  const running = new Set<number>()
  const parts = { events, logger, dataFolder: env.dataFolder }

  return implementOpen(backtest, {
    async run({ transact, caller, siteId, body, reply }) {
      const startedMs = performance.now()
      const now = new Date()
      const tried = await transact(async (db) => {
        const site = await requireSite(db, siteId)
        const { revision } = site
        await ruleChecks[body.kind]?.(db, site, [body.rule])
        const { document, alone, guard, id } = withRule(
          await gatherDocument(db, publisher.parts, siteId),
          body,
          body.id,
          now,
        )
        const rendered = (of: typeof document) => renderArtefact(publisher, of, revision)
        return {
          ...{ rendered: rendered(document), alone: rendered(alone), guard, rule: id },
          scores: await scoresOfSite(db, siteId),
        }
      })
      if (running.has(caller.tenantId)) throw new Fault('itemsExceedLimit', { max: 1 }, { status: 429 })
      if (running.size >= runsMax) throw new Fault('itemsExceedLimit', { max: runsMax }, { status: 429 })
      running.add(caller.tenantId)
      try {
        const span = { fromMs: now.getTime() - body.hours * hourMs, toMs: now.getTime() }
        // Who went away reads no answer.
        const isOver = () => performance.now() - startedMs > backtestSecondsMax * 1000 || reply.raw.destroyed
        const told = await tryRule(parts, { site: siteId, span, ...tried, isOver })
        return { ...told, took: Math.round(performance.now() - startedMs) }
      } finally {
        running.delete(caller.tenantId)
      }
    },
  })
}
