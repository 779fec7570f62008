/** Who may know of a zone. */
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

/** The zone, if the caller may know that it exists; else the refusal that a missing one gets. */
export async function requireZone(db: Database, zoneId: number): Promise<{ id: number; name: string; memo: string }> {
  const zone = await db.selectFrom('zones').select(['id', 'name', 'memo']).where('id', '=', zoneId).executeTakeFirst()
  if (!zone) throw new Fault('permissionDenied')
  return zone
}
