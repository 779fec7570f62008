/** The operator's calls for nodes: their state, renaming, removing, putting into use, and inviting new ones. */
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { nodeStatuses, nodes } from '@breakwater/contract/nodes/nodes.ts'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, type Handlers, implement } from '../http/implement.ts'
import { requireZone } from '../node-configuration/require-zone.ts'
import { changeNodesAtWork } from '../node-configuration/shadow-node.ts'
import type { Services } from '../process/services.ts'
import type { About } from '../publish/publish-sites.ts'
import { initializeNodes } from './initialize.ts'
import { makeInvitation } from './invitation.ts'
import {
  findNode,
  listInitialized,
  listUninitialized,
  type NodeFilter,
  type NodeRow,
  notifyNode,
} from './nodes.store.ts'
import { isOnline, nodeStatus, zoneHandlers } from './zones.ts'

/** Sub-nodes, upgrades and DNS are not implemented yet: a node has the value that means none. */
const none = 0

export function nodesFeature(services: Pick<Services, 'env' | 'vault'>): Feature {
  return implement(nodes, {
    ...zoneHandlers,
    ...nodeHandlers,
    async initialize({ db, caller, body, audit }) {
      const zone = await requireZone(db, body.zoneID)
      const place = { ...body, zoneId: zone.id, about: aboutOf(caller, audit) }
      const names = await initializeNodes(db, services, caller.tenantId, place)
      audit.detail = { zone: zone.name, nodes: names }
    },

    async createToken({ db, zoneId, body, audit }) {
      const zone = await requireZone(db, zoneId)
      const invitation = await asSystem(db, (tx) => makeInvitation(tx, services.env, zone.id, body.name))
      audit.detail = { zone: zone.name, name: body.name, expiresAt: invitation.expiresAt }
      return invitation
    },
  })
}

const aboutOf = ({ accountName }: { accountName: string }, { action }: { action?: string | undefined }): About => ({
  ...{ actor: accountName, action: action ?? '' },
})

async function requireNode(db: Database, zoneId: number, id: number): Promise<NodeRow> {
  const node = await findNode(db, id, zoneId)
  if (node) return node
  // The row of a removed node stays, and the caller sees only their own.
  const known = db.selectFrom('nodes').select('id').where('id', '=', id).where('zoneId', '=', zoneId)
  throw (await known.executeTakeFirst()) ? gone() : new Fault('permissionDenied')
}

type NodeCalls = 'updateNode' | 'setNodeStatus' | 'removeNode' | 'system' | 'uninitialized' | 'initialized'

const nodeHandlers: Pick<Handlers<typeof nodes>, NodeCalls> = {
  async updateNode({ db, caller, zoneId, body, audit }) {
    await lockTenant(db, caller.tenantId)
    const { id, name, memo, publicAddresses } = await requireNode(db, zoneId, body.id)
    requireUnchanged(body.basedOn, { name, memo, publicAddresses }, 'The node was changed meanwhile')
    const after = { name: body.name, memo: body.memo, publicAddresses: body.publicAddresses ?? publicAddresses }
    audit.detail = { id, before: { name, memo, publicAddresses }, after }
    await asSystem(db, (tx) => tx.updateTable('nodes').set(after).where('id', '=', id).execute())
  },

  async setNodeStatus({ db, caller, body, audit }) {
    const ids = [...new Set(body.ids)]
    const found = await db
      .selectFrom('nodes')
      .select(['id', 'name', 'status', 'revokedAt', 'zoneId'])
      .where('id', 'in', ids)
      .execute()
    if (found.length < ids.length) throw new Fault('permissionDenied')
    if (found.some(({ revokedAt }) => revokedAt)) throw gone()
    const zones = found.map(({ zoneId }) => zoneId)
    await asSystem(db, (tx) =>
      changeNodesAtWork(tx, zones, aboutOf(caller, audit), () =>
        tx.updateTable('nodes').set({ status: body.status }).where('id', 'in', ids).execute(),
      ),
    )
    audit.detail = {
      before: found.map(({ id, name, status }) => ({ id, name, status })),
      after: { status: body.status },
    }
  },

  async removeNode({ db, caller, zoneId, body, audit }) {
    const { id, name, groupName, status } = await requireNode(db, zoneId, body.id)
    if (groupName !== null && status !== nodeStatuses.disabled) throw new Fault('nodeInGroup')
    audit.detail = { id, name }
    await asSystem(db, (tx) =>
      changeNodesAtWork(tx, [zoneId], aboutOf(caller, audit), async () => {
        // The row stays: its serial is never valid again, and old events keep the node's name.
        await tx.updateTable('nodes').set({ revokedAt: new Date(), status: 0 }).where('id', '=', id).execute()
        await tx.deleteFrom('nodeExceptions').where('nodeId', '=', id).execute()
        await notifyNode(tx, id)
      }),
    )
  },

  async system({ db, zoneId, id }) {
    const node = await requireNode(db, zoneId, id)
    const health = node.health as NodeHealth | null
    if (!health || !isOnline(node.lastSeenAt)) throw new Fault('nodeCommunicationError')
    const share = (used: number, all: number) => (all > 0 ? used / all : 0)
    return {
      cpu: health.cpuBusy,
      memory: share(health.memoryUsedBytes, health.memoryBytes),
      disk: share(health.diskUsedBytes, health.diskBytes),
      load: health.load1,
      network: { in: health.networkInBytesPerSecond, out: health.networkOutBytesPerSecond },
      uptime: health.uptimeSeconds,
    }
  },

  async uninitialized({ db }) {
    const rows = await listUninitialized(db)
    const data = rows.map(({ id, name, ip, version, createdAt }) => ({
      ...{ id, name, ip, version },
      createdAt: createdAt.toISOString(),
    }))
    return { data, total: data.length }
  },

  async initialized({ db, query }) {
    const { page, pageSize, upgradeStatuses, subNodeType, dnsStatus, ...filter } = query
    const asksForOthers =
      (upgradeStatuses && upgradeStatuses.length > 0 && !upgradeStatuses.includes(none)) ||
      (subNodeType ?? none) !== none ||
      (dnsStatus ?? none) !== none
    if (asksForOthers) return { data: [], total: 0 }
    const { rows, total } = await listInitialized(db, filter satisfies NodeFilter, { page, pageSize })
    return { data: rows.map(presentInitialized), total }
  },
}

function presentInitialized(row: NodeRow) {
  return {
    id: row.id,
    name: row.name,
    zoneID: row.zoneId,
    portType: row.portType ?? 7,
    subNodeType: none,
    upgradeStatus: none,
    dnsStatus: none,
    version: row.version,
    memo: row.memo,
    monitor: row.monitor,
    status: nodeStatus(row),
    logRotateTime: '',
    subs: [],
  }
}
