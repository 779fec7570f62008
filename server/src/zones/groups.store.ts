/**
 * Groups in the database, with what uses them. Everything here runs as the system, on zones that the caller may see.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Fault, gone } from '../http/fault.ts'

export type GroupRow = {
  id: number
  name: string
  portType: number
  isBackup: boolean
  label: string
  nodes: { id: number; name: string }[]
  /** Names of the products that use it. */
  products: string[]
  /** Number of sites that its nodes serve. */
  siteCount: number
}

/** The groups of a zone, the main ones first. */
export async function groupsOfZone(db: Database, zoneId: number): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.name, g.port_type, g.is_backup, g.label,
      coalesce((select jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name) order by n.name, n.id)
        from nodes n where n.group_id = g.id and n.revoked_at is null), '[]') as nodes,
      array(select p.name from product_groups u join products p on p.id = u.product_id where u.group_id = g.id order by p.name) as products,
      (select count(*) from feed_entries e where e.group_id = g.id and e.artefact is not null) as site_count
    from groups g where g.zone_id = ${zoneId} order by g.is_backup, g.id`.execute(db)
  return rows
}

/** A group of a zone, locked. Throws 404 if there is none. */
export async function findGroup(db: Database, zoneId: number, id: number): Promise<GroupRow> {
  await db.selectFrom('groups').select('id').where('id', '=', id).where('zoneId', '=', zoneId).forUpdate().execute()
  const group = (await groupsOfZone(db, zoneId)).find((one) => one.id === id)
  if (!group) throw gone()
  return group
}

/** Throws 203001 if a product uses the group, 203002 if sites are still on it. */
export function requireUnused(group: GroupRow): void {
  if (group.products.length > 0)
    throw new Fault('groupActive', `group ${group.name} belongs to ${group.products.slice(0, 3).join(', ')}`)
  if (group.siteCount > 0) throw new Fault('siteScheduled', `${group.siteCount} sites are on group ${group.name}`)
}
