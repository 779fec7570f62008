/** Whether a whole site is challenged now, and by whom that was switched: somebody who saved it, or the traffic. */
import { type SiteAttack, type SiteMode, siteMode, siteModeState } from '@breakwater/contract/firewall/site-mode.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { type Feature, implement } from '../http/implement.ts'
import { requireSite } from '../publish/change-site.ts'

const attacksMax = 10
/** Rows of nodes that are looked at for them. */
const rowsMax = 200

type Seen = Pick<SiteAttack, 'reason' | 'rate'> & { limit: number; node: string; beganAt: Date; endedAt: Date | null }

/** What each node saw, the oldest first. An attack of a node that is not seen any more was over when it was seen last. */
async function seenBy(db: Database, siteId: number): Promise<Seen[]> {
  const { rows } = await sql<Seen>`
    select reason, rate, threshold as limit, node, began_at, ended as ended_at from (
      select a.*, case when a.ended_at is null and n.last_seen_at < now() - interval '2 minutes' then n.last_seen_at else a.ended_at end as ended
      from site_attacks a join nodes n on n.id = a.node_id where a.site_id = ${siteId}::int
      order by a.began_at desc limit ${rowsMax}) a
    order by began_at`.execute(db)
  return rows
}

/** Attacks that nodes saw at the same time are one. */
function joined(seen: readonly Seen[]): SiteAttack[] {
  const attacks: (Omit<Seen, 'node'> & { nodes: Set<string> })[] = []
  for (const { node, ...one } of seen) {
    const last = attacks.at(-1)
    if (last && (last.endedAt === null || last.endedAt >= one.beganAt)) {
      last.nodes.add(node)
      last.endedAt = last.endedAt === null || one.endedAt === null ? null : later(last.endedAt, one.endedAt)
    } else attacks.push({ ...one, nodes: new Set([node]) })
  }
  return attacks.map(({ beganAt, endedAt, nodes, ...rest }) => ({
    ...rest,
    ...{ beganAt: beganAt.toISOString(), endedAt: endedAt?.toISOString() ?? null, nodes: [...nodes] },
  }))
}

const later = (a: Date, b: Date): Date => (a > b ? a : b)

export function siteModeStateFeature(): Feature {
  return implement(siteModeState, {
    async state({ db, siteId }) {
      const site = await requireSite(db, siteId)
      const { settings } = await db
        .selectFrom('sites')
        .select('settings')
        .where('id', '=', site.id)
        .executeTakeFirstOrThrow()
      const value = settings[siteMode.name] as SiteMode | undefined
      const attacks = joined(await asSystem(db, (tx) => seenBy(tx, site.id))).reverse()
      const recent = attacks.slice(0, attacksMax)
      const none = { challenges: false, switchedBy: 'nobody' as const, since: null, who: '', attacks: recent }
      if (!value?.enable || value.mode === 'off') return none
      if (value.mode === 'auto') {
        const now = attacks.find(({ endedAt }) => endedAt === null)
        return now ? { ...none, challenges: true, switchedBy: 'traffic' as const, since: now.beganAt } : none
      }
      const saved = await db
        .selectFrom('revisions')
        .select(['actor', 'createdAt'])
        .where('siteId', '=', site.id)
        .where('action', '=', siteMode.calls.update.audit!)
        .orderBy('revision', 'desc')
        .limit(1)
        .executeTakeFirst()
      const since = saved?.createdAt.toISOString() ?? null
      return { ...none, challenges: true, switchedBy: 'person' as const, since, who: saved?.actor ?? '' }
    },
  })
}
