/** Sites whose rows a transaction has locked until it ends: nobody else publishes them meanwhile. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export type LockedSite = {
  id: number
  tenantId: number
  productId: number
  name: string
  label: string
  status: number
  revision: number
}

export const siteColumns = ['id', 'tenantId', 'productId', 'name', 'label', 'status', 'revision'] as const

/**
 * Locks sites in the order of their ids, so that two changes of the same sites wait instead of deadlocking. Removed
 * ones are left out.
 */
export async function lockSites(db: Database, siteIds: number[]): Promise<LockedSite[]> {
  if (siteIds.length === 0) return []
  return db
    .selectFrom('sites')
    .select(siteColumns)
    .where('id', '=', sql<number>`any(${siteIds}::int[])`)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}
