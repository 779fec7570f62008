/** Publishes many sites at once: a change that affects all of them reaches a few nodes first. */
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { wakeGroup } from './feed.ts'
import type { LockedSite } from './locked-sites.ts'
import { type About, publishSites } from './publish-sites.ts'
import type { Publisher } from './publisher.ts'

/**
 * A change of at most this many sites goes to all nodes at once: it is a person's own change, and they watch its
 * effect.
 */
export const sitesAtOnce = 10

/**
 * Sites whose documents are in memory at a time and are rendered without yielding: everything else waits for as long.
 */
const pageSize = 100

/**
 * Publishes locked sites in one transaction; many of them as a roll-out in every group that has nodes to try it on,
 * unless `isAtOnce`: for pausing or resuming sites there is nothing to try. The revision of `toldSite` records what
 * changed, because the person who made the change looks at that site.
 */
export async function publishMany(
  db: Database,
  sites: LockedSite[],
  publisher: Publisher,
  about: About,
  { isAtOnce = false, toldSite }: { isAtOnce?: boolean; toldSite?: number | undefined } = {},
): Promise<void> {
  const rollouts =
    sites.length > sitesAtOnce && !isAtOnce ? await asSystem(db, (tx) => begin(tx, sites, about)) : undefined
  for (let from = 0; from < sites.length; from += pageSize)
    await publishSites(db, sites.slice(from, from + pageSize), publisher, about, {
      rollouts,
      isTold: ({ id }) => id === toldSite,
    })
  if (rollouts && rollouts.size > 0)
    await asSystem(db, (tx) => startRollouts(tx, [...rollouts.keys()], [...rollouts.values()]))
}

/** The first node of a group that is in use tries it; then a tenth of them. */
async function begin(db: Database, sites: LockedSite[], { action, summary = '', actor }: About) {
  const productIds = [...new Set(sites.map(({ productId }) => productId))]
  const { rows } = await sql<{ groupId: number; operatorId: number; nodes: number[] }>`
    select n.group_id, min(n.operator_id) as operator_id, array_agg(n.id order by n.id) as nodes
    from nodes n
    where n.group_id in (select group_id from product_groups where product_id = any(${productIds}::int[]))
      and n.revoked_at is null and n.status = 1 and n.last_seen_at > now() - interval '15 seconds'
    group by n.group_id having count(*) > 1
    order by n.group_id`.execute(db)
  const started = new Map<number, number>()
  for (const { groupId, operatorId, nodes } of rows) {
    const tenth = nodes.slice(0, Math.ceil(nodes.length / 10))
    const values = { operatorId, groupId, action, summary, actor, nodes: nodes.slice(0, 1), tenth }
    const { id } = await db.insertInto('rollouts').values(values).returning('id').executeTakeFirstOrThrow()
    started.set(groupId, id)
  }
  return started
}

/**
 * Stores the number of sites of roll-outs, the sequence that their first nodes must reach, and the nodes' state before
 * the change; wakes them. Runs as the system.
 */
export async function startRollouts(db: Database, groupIds: number[], ids: number[]): Promise<void> {
  await sql`
    update rollouts r set sites = e.sites, sequence = e.sequence, state = case when e.sites = 0 then 'done' else 'running' end
    from (select x.id, count(t.site_id) as sites, coalesce(max(t.sequence), 0) as sequence
      from unnest(${ids}::int[]) as x(id) left join rollout_entries t on t.rollout_id = x.id group by x.id) e
    where e.id = r.id`.execute(db)
  for (const id of ids) await noteBaseline(db, id)
  for (const groupId of groupIds) await wakeGroup(db, groupId)
}

/** Stores the nodes' vitals at the beginning of a step, and those from minutes before. Runs as the system. */
export async function noteBaseline(db: Database, rolloutId: number): Promise<void> {
  await sql`
    update rollouts r set baseline = coalesce((
      select jsonb_object_agg(n.id, jsonb_build_object('before', n.samples->0->'vitals', 'start', n.health->'vitals'))
      from nodes n where n.id = any(r.nodes)), '{}')
    where r.id = ${rolloutId}::int`.execute(db)
}
