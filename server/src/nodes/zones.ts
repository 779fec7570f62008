/** The operator's view of zones and their contents. */
import { nodeStatuses, type nodes, offlineAfterMs, type ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import type { Handlers } from '../http/implement.ts'
import { requireZone } from '../node-configuration/require-zone.ts'
import { settingsOfZones } from '../node-configuration/settings-of-zones.ts'
import { exceptionsOf, listZoneNodes, listZones, type NodeRow } from './nodes.store.ts'
import { publicAddressesOf } from './public-addresses.ts'
import { updatesDue } from './updates-due.ts'

/** Whether a node has reported recently. */
export const isOnline = (lastSeenAt: Date | null, now = Date.now()): boolean =>
  lastSeenAt !== null && now - lastSeenAt.getTime() <= offlineAfterMs

/** Disabled if the operator disabled it; else enabled or offline, depending on its reports. */
export function nodeStatus(node: { status: number; lastSeenAt: Date | null }): number {
  if (node.status === nodeStatuses.disabled) return nodeStatuses.disabled
  return isOnline(node.lastSeenAt) ? nodeStatuses.enabled : nodeStatuses.offline
}

function presentNode(row: NodeRow, exceptions: ZoneNode['exceptions']): ZoneNode {
  return {
    id: row.id,
    name: row.name,
    ip: row.ip,
    publicAddresses: publicAddressesOf(row),
    portType: row.portType ?? 7,
    status: nodeStatus(row),
    version: row.version,
    dnsStatus: 0,
    memo: row.memo,
    monitor: row.monitor,
    lastSeen: row.lastSeenAt?.toISOString() ?? null,
    group: row.groupName ?? '',
    watermark: row.watermark,
    desired: row.desired ?? 0,
    exceptions,
    problem: row.problem,
    updatesDue: updatesDue(row.health as ZoneNode['health']),
    health: row.health as ZoneNode['health'],
  }
}

type ZoneCalls = 'zones' | 'metaZones' | 'zoneNodes' | 'metaNodes'

export const zoneHandlers: Pick<Handlers<typeof nodes>, ZoneCalls> = {
  async zones({ db, query }) {
    const { rows, total } = await listZones(db, query)
    const saved = await settingsOfZones(
      db,
      rows.map(({ id }) => id),
    )
    const data = rows.map(({ createdAt, nodeCount, groupCount, ...zone }) => ({
      ...zone,
      ...saved(zone.id),
      nodeCount: nodeCount ?? 0,
      groupCount: groupCount ?? 0,
      createdAt: createdAt.toISOString(),
    }))
    return { data, total }
  },

  async metaZones({ db }) {
    const data = await db.selectFrom('zones').select(['id', 'name']).orderBy('name').orderBy('id').execute()
    return { data, total: data.length }
  },

  async zoneNodes({ db, zoneId, query }) {
    await requireZone(db, zoneId)
    const { rows, total } = await listZoneNodes(db, zoneId, query)
    const exceptions = await exceptionsOf(
      db,
      rows.map((row) => row.id),
    )
    return { data: rows.map((row) => presentNode(row, exceptions.get(row.id) ?? [])), total }
  },

  async metaNodes({ db, zoneId }) {
    await requireZone(db, zoneId)
    const data = await db
      .selectFrom('nodes')
      .select(['id', 'name'])
      .where('zoneId', '=', zoneId)
      .where('revokedAt', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .execute()
    return { data, total: data.length }
  },
}
