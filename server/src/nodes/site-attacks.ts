/** Attacks on its sites that a node reports: stored as they begin and end, and sent to subscribers. */
import type { AttackState } from '@breakwater/contract/edge/tallies.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { notify } from '../messages/notify.ts'
import { anyOf } from '../publish/gather.ts'
import type { NodeIdentity } from './node-identity.ts'

type Site = { id: number; name: string; tenantId: number; operatorId: number | null }

/**
 * Takes all sites that the node is protecting at present: attacks that it no longer lists are over. Sites that do not
 * belong to it are ignored.
 */
export async function storeAttacks(db: Database, node: NodeIdentity, attacks: readonly AttackState[]): Promise<void> {
  const open = await db
    .selectFrom('siteAttacks')
    .select(['id', 'siteId', 'beganAt'])
    .where('nodeId', '=', node.id)
    .where('endedAt', 'is', null)
    .execute()
  const now = new Map(attacks.map((attack) => [attack.site, attack]))
  const known = new Set(open.map(({ siteId }) => siteId))
  const begun = [...now.values()].filter(({ site }) => !known.has(site))
  const over = open.filter(({ siteId }) => !now.has(siteId))
  if (begun.length === 0 && over.length === 0) return
  const sites = await ownSites(db, node, [...begun.map(({ site }) => site), ...over.map(({ siteId }) => siteId)])
  for (const attack of begun) {
    const site = sites.get(attack.site)
    if (site) await begin(db, node, site, attack)
  }
  for (const { id, siteId, beganAt } of over) {
    await db.updateTable('siteAttacks').set({ endedAt: new Date() }).where('id', '=', id).execute()
    const site = sites.get(siteId)
    if (site && !(await isSeenElsewhere(db, node, siteId)))
      await tell(db, site, 'attackOver', id, {
        minutes: String(Math.max(1, Math.round((Date.now() - beganAt.getTime()) / 60_000))),
      })
  }
}

async function ownSites(db: Database, node: NodeIdentity, ids: number[]): Promise<Map<number, Site>> {
  const rows = await db
    .selectFrom('feedEntries')
    .innerJoin('sites', 'sites.id', 'feedEntries.siteId')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .select(['sites.id', 'sites.name', 'sites.tenantId', 'tenants.operatorId'])
    .where('feedEntries.groupId', '=', node.groupId ?? 0)
    .where('feedEntries.siteId', '=', anyOf(ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function begin(db: Database, node: NodeIdentity, site: Site, attack: AttackState): Promise<void> {
  const isKnown = await isSeenElsewhere(db, node, site.id)
  const { reason, rate, limit } = attack
  const { id } = await db
    .insertInto('siteAttacks')
    .values({
      ...{ siteId: site.id, tenantId: site.tenantId, nodeId: node.id, node: node.name },
      ...{ reason, rate, threshold: limit },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!isKnown)
    await tell(db, site, 'attackBegun', id, { rate: String(Math.round(rate)), limit: String(Math.round(limit)) })
}

/** Whether another node that is online reports that the site is under attack. */
async function isSeenElsewhere(db: Database, node: NodeIdentity, siteId: number): Promise<boolean> {
  const { rows } = await sql`
    select from site_attacks a join nodes n on n.id = a.node_id
    where a.site_id = ${siteId}::int and a.node_id <> ${node.id}::int and a.ended_at is null
      and n.last_seen_at > now() - interval '2 minutes' limit 1`.execute(db)
  return rows.length > 0
}

async function tell(
  db: Database,
  { id, name, tenantId, operatorId }: Site,
  event: 'attackBegun' | 'attackOver',
  attack: number,
  values: Record<string, string>,
): Promise<void> {
  for (const told of [tenantId, ...(operatorId === null ? [] : [operatorId])]) {
    const path = `/${told === tenantId ? 'user' : 'client'}/sitesManagement/attacks?attack=${attack}`
    await notify(db, {
      ...{ event, tenantId: told, about: `site/${id}/attack`, siteIds: [id] },
      values: { site: name, path, ...values },
    })
  }
}
