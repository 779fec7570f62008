/** Changes of WAF modules that are simulated before they are saved, or saved only if they have the intended effect. */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { type WafModule, type WafModuleRule, waf } from '@breakwater/contract/modules/waf.ts'
import { readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import { wafSimulation } from '@breakwater/contract/modules/waf-simulation.ts'
import { asSystem, type Database } from '../db/database.ts'
import { resolveScope } from '../events/scope.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { readOne } from '../logs/row-key.ts'
import { rowKey } from '../logs/row-name.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import type { SavedRule, SiteDocument } from '../publish/document.ts'
import { gatherDocument } from '../publish/gather.ts'
import { savedRule } from '../rules/rule-list-part.ts'
import { ruleSetOfSite } from '../waf/site-rule-set.ts'
import { boundScope } from './bound-scope.ts'
import { modulesOfKind } from './modules-of-kind.ts'
import { readApplied, readExceptions } from './waf-applied.ts'
import { isWafOn } from './waf-on.ts'
import { replay, withWafAlone } from './waf-replay.ts'
import { judgeOfModule, ruleOf, simulateChange, type TriedModule, withRules } from './waf-simulation.ts'

/** Greater than every existing id, as the next ids will be. */
const nextId = 2 ** 31 - 1

/** `family` has the calls of the modules themselves: an exception is added like any other rule. */
export function wafChangesFeature({ env, events, publisher, logger }: Services, family: Feature): Feature {
  const { requireModule } = modulesOfKind(publisher, waf.kind)
  const parts = { publisher, dataFolder: env.dataFolder, logger }
  const add = family.find(({ endpoint }) => endpoint === (waf.calls.addItems as unknown))!

  /** A module as saved. */
  async function readModule(db: Database, siteId: number, moduleId: number): Promise<TriedModule> {
    const { tenantId } = await requireSite(db, siteId)
    const { id, body } = await requireModule(db, tenantId, moduleId)
    const rows = await db
      .selectFrom('rules')
      .selectAll()
      .where('moduleId', '=', id)
      .orderBy('sort')
      .orderBy('id')
      .execute()
    const rules = rows.map((row) => ({ ...ruleOf(savedRule(row)), enabled: row.enabled }))
    const ruleSet = await asSystem(db, (tx) => ruleSetOfSite(tx, siteId))
    return { settings: body as unknown as WafModule, rules: withRules(rules, []), ruleSet }
  }

  /** How it is proved that the request of a row would pass with the additional rules; undefined if it would not. */
  async function prove(
    { module, document, moduleId }: { module: TriedModule; document: SiteDocument; moduleId: number },
    row: RequestRow,
    items: readonly WafModuleRule[],
  ): Promise<'replay' | 'log' | undefined> {
    const logged = { ...row, waf: row.waf ?? '', wafScore: row.wafScore ?? 0 }
    const { isRefused, kept } = judgeOfModule({ ...module, rules: withRules(module.rules, items) }, new Date())(logged)
    if (isRefused) return undefined
    const asked = (more: SavedRule[]) =>
      replay({ ...parts, ruleSet: module.ruleSet.objects }, row, withWafAlone(document, moduleId, more))
    const taken = readWaf(logged.waf).matches.flatMap(({ text }) => (kept.includes(text) ? [] : [text]))
    const was = await asked([])
    // A match in a body, or in a header that no row holds, cannot be reproduced.
    if (!was || !taken.every((text) => was.matches.includes(text))) return 'log'
    const is = await asked(items.map(asSaved))
    if (!is) return 'log'
    return taken.some((text) => is.matches.includes(text)) ? undefined : 'replay'
  }

  return implementOpen(wafSimulation, {
    async simulate({ transact, siteId, moduleId, body }) {
      const { before, scope } = await transact(async (db) => ({
        before: await readModule(db, siteId, moduleId),
        scope: await boundScope(db, { id: moduleId, kind: waf.kind }),
      }))
      const { rules, ...said } = body
      const after = { ...before, settings: { ...before.settings, ...said }, rules: withRules(before.rules, rules) }
      return simulateChange(events, scope, { before, after }, new Date())
    },

    async applied({ transact, siteId, moduleId }) {
      const { scope, ...asked } = await transact(async (db) => {
        const { tenantId } = await requireSite(db, siteId)
        const { id, body } = await requireModule(db, tenantId, moduleId)
        const scope = await boundScope(db, { id, kind: waf.kind })
        // Including sites that the caller cannot see.
        const all = await asSystem(db, (tx) => boundScope(tx, { id, kind: waf.kind }))
        const exceptions = await readExceptions(db, id, isWafOn(body))
        return { scope, exceptions, isWhole: scope.sites.length === all.sites.length }
      })
      return readApplied(events, scope, asked, Date.now())
    },

    async exclude(call) {
      const { transact, caller, siteId, moduleId, body } = call
      const key = rowKey(body.row)
      if (key.site !== siteId) throw new Fault('permissionDenied')
      const found = await transact(async (db) => ({
        scope: await resolveScope(db, caller.tier, { siteIDs: [siteId], domainIDs: [], zoneIDs: [] }),
        module: await readModule(db, siteId, moduleId),
        document: await gatherDocument(db, publisher.parts, siteId),
      }))
      const row = await readOne(events, found.scope, key)
      if (!row) throw new Fault('permissionDenied')
      const provedBy = await prove({ ...found, moduleId }, row, body.items)
      if (!provedBy) throw fieldFault('items', 'stillRefused')
      const made = await transact((db) => add.handle({ ...call, db, body: { items: body.items } } as never))
      return { ...(made as { ids: number[] }), provedBy }
    },
  })
}

const asSaved = ({ memo, expiresAt, enabled, ...body }: WafModuleRule, at: number): SavedRule => ({
  ...{
    id: nextId - at,
    sort: body.priority,
    enabled,
    mode: 'enforce',
    body: { ...body, memo, expiresAt },
    bodyVersion: 1,
  },
  ...{ memo: '', createdBy: '', expiresAt: null, createdAt: new Date().toISOString() },
})
