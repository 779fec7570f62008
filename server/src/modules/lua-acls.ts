/** The Lua ACL: its calls, the cost limit of a module, and its rendering for nodes. */
import type { EdgeAcl, LuaAclsPart } from '@breakwater/contract/edge/acl-part.ts'
import { edgeActionOf, programOf } from '@breakwater/contract/edge/acl-program.ts'
import { measured } from '@breakwater/contract/modules/acl/condition.ts'
import { aclCostMax, type LuaAcl, luaAcls } from '@breakwater/contract/modules/lua-acls.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import type { SavedRule } from '../publish/document.ts'
import { moduleFeature } from './module-family.ts'
import { modulesOfKind } from './modules-of-kind.ts'

export function luaAclsFeatures(services: Services): Feature[] {
  const { enableItem, backtest: _, ...calls } = luaAcls.calls
  const { requireChangeable, publishBound } = modulesOfKind(services.publisher, luaAcls.kind)
  return [
    moduleFeature(
      services,
      { ...luaAcls, calls },
      {
        async check(_db, _module, items) {
          const cost = items.reduce((sum, { conditions }) => sum + measured(conditions).cost, 0)
          if (cost > aclCostMax) throw new Fault('itemsExceedLimit', { max: aclCostMax, cost })
        },
      },
    ),
    implement(
      { enableItem },
      {
        async enableItem({ db, siteId, moduleId, body, caller, audit }) {
          const site = await requireSite(db, siteId)
          const [module] = await requireChangeable(db, site.tenantId, [moduleId])
          const row = await db
            .updateTable('rules')
            .set({ enabled: body.enabled, updatedAt: new Date() })
            .where('moduleId', '=', moduleId)
            .where('id', '=', body.id)
            .returning('id')
            .executeTakeFirst()
          if (!row) throw gone()
          await publishBound({ db, siteId, caller, audit }, module!, enableItem.audit!)
          audit.detail = { module: moduleId, name: module!.name, changed: body }
        },
      },
    ),
  ]
}

export const aclPart = (module: number, rules: SavedRule[]): LuaAclsPart => ({
  kind: 'luaAcls',
  module,
  rules: rules.map(edgeRule),
})

/** Actions that older nodes do not know. */
export const needsAclActions = (rules: SavedRule[]): boolean =>
  rules.some(({ body }) => !['block', 'allow', 'challenge'].includes((body as LuaAcl).action))

/** Whether a rule sets a header of the origin request; older nodes would set it on the response. */
export const setsRequestHeaders = (rules: SavedRule[]): boolean =>
  rules.some(({ body }) => (body as LuaAcl).header?.type === 'request')

/** Whether a rule tests the network of an address, or for verified bots. */
export const asksFor = (asked: 'asn' | 'bot', rules: SavedRule[]): boolean =>
  rules.some((rule) => edgeRule(rule).tests.some(({ field }) => field === asked))

function edgeRule({ id, body }: SavedRule): EdgeAcl {
  const { conditions, mode, expiresAt, ...action } = body as LuaAcl
  return {
    ...{ id, mode, ...edgeActionOf(action), tests: programOf(conditions) },
    ...(expiresAt && { expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }),
  }
}
