/** The state of a site's origins as seen by the nodes that serve it, from their last reports. */
import type { OriginState } from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'

type Row = OriginState & { node: string; upstream: number }

/** By origin id. Offline nodes are left out. The caller's right to the site was checked before. */
export async function originStatesOf(db: Database, siteId: number, ids: number[]): Promise<Map<number, Row[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await asSystem(db, (tx) =>
    sql<Row>`
      select distinct on (node.id, origin.id) node.name as node, origin.id as upstream, origin.state, origin.reason, origin.since
      from feed_entries entry
      join nodes node on node.group_id = entry.group_id and node.revoked_at is null
      cross join lateral jsonb_to_recordset(coalesce(node.health->'origins', '[]'::jsonb))
        as origin(id int, state text, reason text, since float8)
      where entry.site_id = ${siteId} and entry.artefact is not null and origin.id = any(${ids}::int[])
        and node.last_seen_at > now() - interval '15 seconds'
      order by node.id, origin.id`.execute(tx),
  )
  return Map.groupBy(rows, ({ upstream }) => upstream)
}
