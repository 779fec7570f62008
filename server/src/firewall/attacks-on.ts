/** Attacks on sites, merged from the reports of the nodes. */
import type { SiteAttack } from '@breakwater/contract/firewall/site-mode.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** The most node reports that are read. */
const rowsMax = 5000

/** `ids` are the ids of the nodes' rows for this attack. */
export type Attack = SiteAttack & { siteId: number; ids: number[] }

type Seen = Pick<SiteAttack, 'id' | 'reason' | 'rate' | 'limit'> & {
  siteId: number
  node: string
  beganAt: Date
  endedAt: Date | null
}

/** Newest first. An attack on a node that is no longer seen ended when the node was last seen. Runs as the system. */
export async function attacksOn(db: Database, siteIds: number[]): Promise<Attack[]> {
  const { rows } = await sql<Seen>`
    select id, site_id, reason, rate, threshold as limit, node, began_at, ended as ended_at from (
      select a.*, case when a.ended_at is null and n.last_seen_at < now() - interval '2 minutes' then n.last_seen_at else a.ended_at end as ended
      from site_attacks a join nodes n on n.id = a.node_id where a.site_id = any(${siteIds}::int[])
      order by a.began_at desc limit ${rowsMax}) a
    order by began_at`.execute(db)
  const bySite = Map.groupBy(rows, ({ siteId }) => siteId)
  return [...bySite.values()].flatMap(joined).sort((a, b) => (a.beganAt < b.beganAt ? 1 : -1))
}

/** Merges attacks that nodes saw at the same time. `seen` is for one site, oldest first. */
function joined(seen: readonly Seen[]): Attack[] {
  const attacks: (Omit<Seen, 'node'> & { nodes: Set<string>; ids: number[] })[] = []
  for (const { node, ...one } of seen) {
    const last = attacks.at(-1)
    if (last && (last.endedAt === null || last.endedAt >= one.beganAt)) {
      last.nodes.add(node)
      last.ids.push(one.id)
      last.endedAt = last.endedAt === null || one.endedAt === null ? null : later(last.endedAt, one.endedAt)
    } else attacks.push({ ...one, ids: [one.id], nodes: new Set([node]) })
  }
  return attacks.map(({ beganAt, endedAt, nodes, ...rest }) => ({
    ...rest,
    ...{ beganAt: beganAt.toISOString(), endedAt: endedAt?.toISOString() ?? null, nodes: [...nodes] },
  }))
}

const later = (a: Date, b: Date): Date => (a > b ? a : b)
