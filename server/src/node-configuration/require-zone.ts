/** Who may see a zone. */
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

/** The zone, if the caller may see it; throws the same error as for a missing one. */
export async function requireZone(db: Database, zoneId: number): Promise<{ id: number; name: string; memo: string }> {
  const zone = await db.selectFrom('zones').select(['id', 'name', 'memo']).where('id', '=', zoneId).executeTakeFirst()
  if (!zone) throw new Fault('permissionDenied')
  return zone
}
