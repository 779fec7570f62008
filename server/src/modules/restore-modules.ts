/** Restores modules to a revision of a site, on all sites that use them. */
import { cors } from '@breakwater/contract/modules/cors.ts'
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import { luaAcls } from '@breakwater/contract/modules/lua-acls.ts'
import type { ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { proxyRewrites } from '@breakwater/contract/modules/proxy-rewrites.ts'
import { type UrlRedirect, urlRedirects } from '@breakwater/contract/modules/url-redirects.ts'
import { waf } from '@breakwater/contract/modules/waf.ts'
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { canonicalJson } from '../publish/canonical.ts'
import type { SavedRule } from '../publish/document.ts'
import { boundNames, boundSites, requireRoom } from './bindings.ts'
import { gatherModules, type Modules, type SavedModule } from './read-modules.ts'
import { findLoop } from './redirect-loops.ts'

type Family = Pick<ModuleFamily, 'uniqueKey' | 'siteMax'>

/** Families with items. Kinds that are neither here nor settings only have secrets, which cannot be restored. */
const families = new Map<string, Family>(
  [customHeaders, luaAcls, proxyRewrites, urlRedirects, waf].map((family) => [
    family.kind,
    family as unknown as Family,
  ]),
)

/** Whether a module in a document can be restored. */
export const goesBack = (module: unknown): boolean => {
  const { kind } = module as SavedModule
  return kind === cors.kind || families.has(kind)
}

/** The modules that a site's domains are bound to and that differ from `wanted`, ordered by id. */
export async function changedModules(db: Database, siteId: number, wanted: Modules): Promise<[number, SavedModule][]> {
  const now = ((await gatherModules(db, [siteId])).get(siteId)?.modules ?? {}) as Modules
  return Object.entries(wanted)
    .filter(([id, module]) => now[id] && goesBack(module) && canonicalJson(now[id]) !== canonicalJson(module))
    .map(([id, module]): [number, SavedModule] => [Number(id), module])
    .sort(([a], [b]) => a - b)
}

/**
 * Writes modules as wanted, after the same checks as saving them. Runs as the caller, who holds their locks and those
 * of all their sites.
 */
export async function restoreModules(
  db: Database,
  site: { id: number; tenantId: number },
  wanted: Modules,
): Promise<void> {
  for (const [id, module] of await changedModules(db, site.id, wanted))
    await restoreModule(db, { id, tenantId: site.tenantId }, module)
}

async function restoreModule(
  db: Database,
  { id, tenantId }: { id: number; tenantId: number },
  { name, kind, rules, body = {} }: SavedModule,
): Promise<void> {
  const family = families.get(kind)
  await db
    .updateTable('modules')
    .set({ name, body: JSON.stringify(body) as never })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('rules').where('moduleId', '=', id).execute()
  const rows = rules.map((rule) => {
    const uniqueKey = family?.uniqueKey?.({ ...rule.body, enabled: rule.enabled }) ?? null
    return { ...rule, body: JSON.stringify(rule.body), kind, tenantId, moduleId: id, uniqueKey }
  })
  if (rows.length > 0) await db.insertInto('rules').values(rows).execute()
  if (family?.siteMax) await requireRoom(db, kind, family.siteMax, await boundSites(db, id))
  if (kind === urlRedirects.kind) await requireNoLoop(db, id, rules)
}

/** The bound names may have changed since that revision. */
async function requireNoLoop(db: Database, moduleId: number, rules: SavedRule[]): Promise<void> {
  const redirects = rules.map(({ id, enabled, body }) => ({ ...(body as UrlRedirect), id, enabled }))
  if (findLoop(redirects, await boundNames(db, moduleId), new Set(rules.map(({ id }) => id))))
    throw fieldFault('parts', 'redirectLoop')
}
