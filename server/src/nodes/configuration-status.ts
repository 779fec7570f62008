/** The settings of a zone, how far its nodes have applied them, and their history. */
import { configurationSite } from '@breakwater/contract/edge/node-configuration.ts'
import { type ConfigurationStatus, zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { type Feature, implement } from '../http/implement.ts'
import { diffZones, emptyDocument, type ZoneDocument } from '../node-configuration/document.ts'
import { requireZone } from '../node-configuration/require-zone.ts'
import { settingsOfZones } from '../node-configuration/settings-of-zones.ts'
import { isOnline } from './zones.ts'

export function zoneConfigurationFeature(): Feature {
  return implement(zoneConfiguration, {
    async get({ db, zoneId }) {
      await requireZone(db, zoneId)
      return (await settingsOfZones(db, [zoneId]))(zoneId)
    },

    async status({ db, zoneId }) {
      await requireZone(db, zoneId)
      return asSystem(db, (tx) => statusOf(tx, zoneId))
    },

    async history({ db, zoneId, query }) {
      await requireZone(db, zoneId)
      const all = db.selectFrom('zoneRevisions as now').where('now.zoneId', '=', zoneId)
      const rows = await all
        .leftJoin('zoneRevisions as old', (join) =>
          join.onRef('old.zoneId', '=', 'now.zoneId').on((on) => on('old.revision', '=', on('now.revision', '-', 1))),
        )
        .select(['now.revision', 'now.createdAt', 'now.actor', 'now.action', 'now.body', 'old.body as before'])
        .orderBy('now.revision', 'desc')
        .$call(onePage(query))
        .execute()
      const total = await countOf(all)
      const data = rows.map(({ body, before, createdAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        changes: diffZones((before as ZoneDocument | null) ?? emptyDocument, body as ZoneDocument),
      }))
      return { data, total }
    },
  })
}

type NodeRow = {
  id: number
  name: string
  lastSeenAt: Date | null
  isCurrent: boolean
  watermark: number
  sequence: number | null
  revision: number | null
  reason: string | null
  canHttp3: boolean
  canDropPackets: boolean
}

/** Runs as the system; the caller's permission was checked before. */
async function statusOf(db: Database, zoneId: number): Promise<ConfigurationStatus> {
  const zone = await db
    .selectFrom('zones')
    .leftJoin('zoneRevisions as last', (join) =>
      join.onRef('last.zoneId', '=', 'zones.id').onRef('last.revision', '=', 'zones.revision'),
    )
    .select(['zones.revision', 'last.createdAt', 'last.actor'])
    .where('zones.id', '=', zoneId)
    .executeTakeFirstOrThrow()
  const { rows: nodes } = await sql<NodeRow>`
    select n.id, n.name, n.last_seen_at, n.epoch = i.epoch as is_current, n.watermark,
      coalesce(t.sequence, f.sequence) as sequence,
      case when t.sequence is not null then t.revision when f.artefact is null then 0 else f.revision end as revision,
      x.reason, coalesce(n.health->'capabilities' ? 'http3', false) as can_http3,
      coalesce(n.health->'capabilities' ? 'kernelBans', false) as can_drop_packets
    from nodes n cross join installation i
    left join feed_entries f on f.group_id = n.group_id and f.site_id = ${configurationSite}::int
    left join rollouts r on r.group_id = n.group_id and r.state = 'running' and n.id = any(r.nodes)
      and exists (select from rollout_entries e where e.rollout_id = r.id and e.site_id = ${configurationSite}::int)
    left join rollout_entries t on t.rollout_id = r.id and t.site_id = ${configurationSite}::int
    left join node_exceptions x on x.node_id = n.id and x.site_id = ${configurationSite}::int
    where n.zone_id = ${zoneId}::int and n.group_id is not null and n.revoked_at is null
    order by n.name, n.id`.execute(db)
  const { rows: rollouts } = await sql<{
    group: string
    step: 'canary' | 'tenth' | 'all'
    state: 'running' | 'returned'
    reason: string
    since: Date
  }>`
    select g.name as "group", r.step, r.state, r.reason, coalesce(r.ended_at, r.step_at) as since
    from groups g
    join (select group_id, rollout_id from rollout_entries where site_id = ${configurationSite}::int
      union all select group_id, rollout_id from returned_sites where site_id = ${configurationSite}::int) e
      on e.group_id = g.id
    join rollouts r on r.id = e.rollout_id and r.state <> 'done'
    where g.zone_id = ${zoneId}::int order by g.id`.execute(db)
  return {
    revision: zone.revision,
    savedAt: zone.createdAt?.toISOString() ?? null,
    actor: zone.actor ?? '',
    nodes: nodes.map((node) => ({
      id: node.id,
      name: node.name,
      state: stateOf(node, zone.revision),
      revision: node.revision ?? 0,
      reason: node.reason ?? '',
      canDropPackets: node.canDropPackets,
      canHttp3: node.canHttp3,
    })),
    rollouts: rollouts.map(({ since, ...rollout }) => ({ ...rollout, since: since.toISOString() })),
  }
}

function stateOf(node: NodeRow, saved: number): ConfigurationStatus['nodes'][number]['state'] {
  if (node.reason !== null) return node.reason.startsWith('needs a newer node') ? 'unable' : 'refused'
  if (!isOnline(node.lastSeenAt)) return 'away'
  if (saved === 0) return 'live'
  const hasReached = node.sequence !== null && node.isCurrent && node.watermark >= node.sequence
  return hasReached && node.revision === saved ? 'live' : 'waiting'
}
