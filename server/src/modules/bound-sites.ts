/** Which sites a module's change reaches. */
import type { Database } from '../db/database.ts'
import type { LockedSite } from '../publish/change-site.ts'

export async function boundSites(db: Database, moduleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('domains')
    .select('siteId')
    .distinct()
    .where('customHeaderModuleId', '=', moduleId)
    .execute()
  return rows.map((row) => row.siteId)
}

/** Locks sites in the order of their ids, so that two changes that reach the same sites wait instead of dying. */
export async function lockSites(db: Database, siteIds: number[]): Promise<LockedSite[]> {
  if (siteIds.length === 0) return []
  return db
    .selectFrom('sites')
    .select(['id', 'tenantId', 'productId', 'name', 'label', 'status', 'revision'])
    .where('id', 'in', siteIds)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}
