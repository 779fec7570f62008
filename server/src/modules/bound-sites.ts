/** Which sites a module's change reaches. */
import type { Database } from '../db/database.ts'

export async function boundSites(db: Database, moduleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('domains')
    .select('siteId')
    .distinct()
    .where('customHeaderModuleId', '=', moduleId)
    .execute()
  return rows.map((row) => row.siteId)
}
