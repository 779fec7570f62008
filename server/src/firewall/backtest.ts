/**
 * Tries a rule on the traffic of the last hours before it is saved. The site with the rule is rendered as for a node,
 * and in the lab edge the same guards that decide live requests judge each logged request.
 */
import { backtest, backtestSecondsMax } from '@breakwater/contract/firewall/backtest.ts'
import { luaAcls } from '@breakwater/contract/modules/lua-acls.ts'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import type { SiteDocument } from '../publish/document.ts'
import { gatherDocument } from '../publish/gather.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { renderArtefact } from '../publish/render.ts'
import { scoresOfSite } from '../reputation/reputation.ts'
import { rulesOwner } from '../rules/owners.ts'
import { ruleChecks } from './rule-checks.ts'
import { withAclRule, withRule } from './tried-document.ts'
import { type Trial, tryRule } from './try-rule.ts'

/** For all tenants together: each run keeps the event store and the lab busy. */
const runsMax = 3
const hourMs = 3_600_000

type Tried = Pick<Trial, 'guard' | 'letsPass'> & { document: SiteDocument; alone: SiteDocument; id: number }
type Asked = {
  transact: <T>(run: (db: Database) => Promise<T>) => Promise<T>
  caller: { tenantId: number }
  siteId: number
  reply: { raw: { destroyed: boolean } }
}

/** For firewall rules and for rules of the Lua ACL. */
export function backtestFeatures({ env, events, publisher, logger }: Services): Feature[] {
  const running = new Set<number>()
  const parts = { events, logger, dataFolder: env.dataFolder }

  /** Tries a rule; `put` inserts it into the site's document. */
  async function run(
    { transact, caller, siteId, reply }: Asked,
    hours: number,
    put: (db: Database, site: LockedSite, document: SiteDocument, now: Date) => Promise<Tried>,
  ) {
    const startedMs = performance.now()
    const now = new Date()
    const tried = await transact(async (db) => {
      const site = await requireSite(db, siteId)
      const gathered = await gatherDocument(db, publisher.parts, siteId)
      const { document, alone, guard, id, letsPass } = await put(db, site, gathered, now)
      const rendered = (of: SiteDocument) => renderArtefact(publisher, of, site.revision)
      const scores = await scoresOfSite(db, siteId)
      return { rendered: rendered(document), alone: rendered(alone), guard, rule: id, letsPass, scores }
    })
    if (running.has(caller.tenantId)) throw new Fault('itemsExceedLimit', { max: 1 }, { status: 429 })
    if (running.size >= runsMax) throw new Fault('itemsExceedLimit', { max: runsMax }, { status: 429 })
    running.add(caller.tenantId)
    try {
      const span = { fromMs: now.getTime() - hours * hourMs, toMs: now.getTime() }
      // A client that disconnected will not read a result.
      const isOver = () => performance.now() - startedMs > backtestSecondsMax * 1000 || reply.raw.destroyed
      const told = await tryRule(parts, { site: siteId, span, ...tried, isOver })
      return { ...told, took: Math.round(performance.now() - startedMs) }
    } finally {
      running.delete(caller.tenantId)
    }
  }

  const { backtest: ofAcl } = luaAcls.calls
  return [
    implementOpen(backtest, {
      run: (call) =>
        run(call, call.body.hours, async (db, site, document, now) => {
          const { body } = call
          const { kind, domainId } = body
          if (domainId !== undefined) await rulesOwner('domain').idOf(db, site, { siteId: site.id, domainId }, kind)
          await ruleChecks[body.kind]?.(db, site, [body.rule])
          return { ...withRule(document, body, body.id, now), letsPass: body.kind === 'allowRules' }
        }),
    }),
    implementOpen(
      { ofAcl },
      {
        ofAcl: (call) =>
          run(call, call.body.hours, async (_db, _site, document, now) =>
            withAclRule(document, { moduleId: call.moduleId, rule: call.body.rule }, call.body.id, now),
          ),
      },
    ),
  ]
}
