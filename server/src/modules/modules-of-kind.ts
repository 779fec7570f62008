/**
 * What all kinds of modules share: ownership, who may change them, what a change publishes, and how domains are bound.
 */
import type { Database } from '../db/database.ts'
import { Fault, gone } from '../http/fault.ts'
import type { AuditNote, Caller } from '../http/implement.ts'
import { publishMany } from '../publish/change-many.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { lockSites } from '../publish/locked-sites.ts'
import type { Publisher } from '../publish/publisher.ts'
import { bindDomains, boundSites } from './bindings.ts'

/** A change of a module by any caller, from a site that may be bound to it. */
type Changing = { db: Database; siteId: number; caller: Caller; audit: AuditNote }
type Removing = { db: Database; siteId: number; body: { ids: number[] }; audit: { detail?: object | undefined } }

export function modulesOfKind(publisher: Publisher, kind: string) {
  const own = (db: Database, tenantId: number) =>
    db.selectFrom('modules').where('tenantId', '=', tenantId).where('kind', '=', kind)
  const ofKind = (db: Database, tenantId: number) =>
    own(db, tenantId).select(['id', 'tenantId', 'name', 'memo', 'body'])

  /** A module of the site's own tenant; throws the same error as for a missing one. */
  async function requireModule(db: Database, tenantId: number, moduleId: number) {
    const module = await ofKind(db, tenantId).where('id', '=', moduleId).executeTakeFirst()
    if (!module) throw gone()
    return module
  }

  /**
   * As above, locked for a change. A caller with access to only some sites may not change a module that affects others;
   * the row lock enforces that right.
   */
  async function requireChangeable(db: Database, tenantId: number, ids: number[]) {
    const rows = await ofKind(db, tenantId).where('id', 'in', ids).orderBy('id').forUpdate().execute()
    if (rows.length !== new Set(ids).size) throw gone()
    return rows
  }

  /**
   * Publishes every site that has a domain bound to the module. The caller gets the revision of the site it was changed
   * from, or else of the first.
   */
  async function publishBound(
    { db, siteId, caller, audit }: Changing,
    module: { id: number; name: string },
    action: string,
  ) {
    const sites = await lockSites(db, await boundSites(db, module.id))
    const told = sites.find(({ id }) => id === siteId) ?? sites[0]
    const about = { actor: caller.accountName, action, summary: module.name }
    await publishMany(db, sites, publisher, about, { toldSite: told?.id })
    if (told) audit.made = { siteId: told.id, revision: told.revision + 1 }
  }

  async function remove({ db, siteId, body, audit }: Removing): Promise<void> {
    const site = await requireSite(db, siteId)
    // Removing what is already gone succeeds, as with rules and tokens.
    const there = await own(db, site.tenantId).select('id').where('id', 'in', body.ids).execute()
    if (there.length === 0) return
    const ids = there.map(({ id }) => id)
    await requireChangeable(db, site.tenantId, ids)
    const bound = await db
      .selectFrom('domainModules')
      .select('domainId')
      .where('moduleId', 'in', ids)
      .executeTakeFirst()
    if (bound) throw new Fault('parameterError', 'module in use')
    await db.deleteFrom('modules').where('id', 'in', ids).execute()
    audit.detail = { ids }
  }

  /** Binds domains of a site to a module of its customer, or to none. `check` rejects conflicts. */
  async function bind(
    call: Parameters<typeof changeSite>[0] & { siteId: number },
    action: string,
    { domainIDs, moduleID }: { domainIDs: number[]; moduleID: number },
    check?: (db: Database, site: LockedSite, module: { id: number } | undefined) => Promise<void>,
  ): Promise<void> {
    await changeSite(call, call.siteId, publisher, { action }, async (db, site) => {
      const module = moduleID === 0 ? undefined : await requireModule(db, site.tenantId, moduleID)
      const bound = await bindDomains(db, site, kind, domainIDs, module?.id)
      if (bound !== new Set(domainIDs).size) throw gone()
      await check?.(db, site, module)
    })
  }

  return { own, requireModule, requireChangeable, publishBound, remove, bind }
}
