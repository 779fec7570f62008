/** Changes settings of a zone: the change, its revision, its audit detail and its feed entries are one transaction. */
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import type { ChangeCall } from '../publish/change-site.ts'
import { publishZone } from './publish-zone.ts'
import { requireZone } from './require-zone.ts'

/**
 * Runs a change as the caller, who must see the zone, publishes it, and returns its result. `node` is the node that it
 * is about, if it is about one.
 */
export async function changeZone<T>(
  call: ChangeCall,
  zoneId: number,
  change: (db: Database) => Promise<T>,
  node?: { id: number; name: string },
): Promise<T> {
  const { db, audit, caller } = call
  const zone = await requireZone(db, zoneId)
  // One at a time: the next revision is built from everything that is saved.
  await asSystem(db, (tx) => sql`select from zones where id = ${zone.id}::int for update`.execute(tx))
  const made = await change(db)
  const about = { actor: caller.accountName, action: audit.action ?? '' }
  const { revision, changes } = await asSystem(db, (tx) => publishZone(tx, zone.id, about, node?.id))
  audit.detail = { zone: zone.name, ...(node && { node: node.name }), ...(revision && { revision }), changes }
  return made
}
