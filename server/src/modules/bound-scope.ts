/** The requests to the domains that are bound to a module, as a scope for the event store. */
import type { Database } from '../db/database.ts'
import type { EventScope } from '../events/scope.ts'
import { anyOf } from '../publish/gather.ts'
import { previewHost } from '../publish/host-names.ts'
import { boundNames, boundSites } from './bindings.ts'

/**
 * Limited to sites that the caller may see. Includes a site's preview host unless its domains are bound to several
 * modules of this kind.
 */
export async function boundScope(db: Database, module: { id: number; kind: string }): Promise<EventScope> {
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'label'])
    .where('removedAt', 'is', null)
    .where('id', '=', anyOf(await boundSites(db, module.id)))
    .execute()
  const others = await db
    .selectFrom('domainModules')
    .innerJoin('domains', 'domains.id', 'domainModules.domainId')
    .select('domains.siteId')
    .where('domains.siteId', '=', anyOf(sites.map(({ id }) => id)))
    .where('domainModules.kind', '=', module.kind)
    .where('domainModules.moduleId', '<>', module.id)
    .execute()
  const divided = new Set(others.map(({ siteId }) => siteId))
  const previews = sites.filter(({ id }) => !divided.has(id)).map(({ label }) => previewHost(label))
  return { sites: sites.map(({ id }) => id), domains: [...(await boundNames(db, module.id)), ...previews], zones: null }
}
