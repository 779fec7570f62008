/** Zones and nodes in the database. Every query runs as the caller, who sees only their own zones and nodes. */

import type { ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'

type Page = { page: number; pageSize: number }
type ZoneSort = { sortBy?: 'name' | 'createdAt' | undefined; orderBy: 'asc' | 'desc' }

export async function listZones(db: Database, { page, pageSize, sortBy = 'createdAt', orderBy }: Page & ZoneSort) {
  const rows = await db
    .selectFrom('zones')
    .select(['zones.id', 'zones.name', 'zones.memo', 'zones.createdAt'])
    .select((on) => [
      on
        .selectFrom('nodes')
        .whereRef('nodes.zoneId', '=', 'zones.id')
        .where('nodes.revokedAt', 'is', null)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('nodeCount'),
      on
        .selectFrom('groups')
        .whereRef('groups.zoneId', '=', 'zones.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('groupCount'),
    ])
    .orderBy(`zones.${sortBy}`, orderBy)
    .orderBy('zones.id', orderBy)
    .$call(onePage({ page, pageSize }))
    .execute()
  const total = await countOf(db.selectFrom('zones'))
  return { rows, total }
}

/** Nodes that are not revoked, with their group and its desired sequence. */
const nodesAtWork = (db: Database) =>
  db
    .selectFrom('nodes')
    .leftJoin('groups', 'groups.id', 'nodes.groupId')
    .leftJoin('feeds', 'feeds.groupId', 'nodes.groupId')
    .where('nodes.revokedAt', 'is', null)

const nodeColumns = [
  'nodes.id',
  'nodes.name',
  'nodes.zoneId',
  'nodes.ip',
  'nodes.publicAddresses',
  'nodes.memo',
  'nodes.monitor',
  'nodes.status',
  'nodes.version',
  'nodes.schemas',
  'nodes.watermark',
  'nodes.lastSeenAt',
  'nodes.health',
  'nodes.problem',
  'nodes.createdAt',
  'groups.name as groupName',
  'groups.portType',
  'feeds.desired',
] as const

const selectNodes = (query: ReturnType<typeof nodesAtWork>) => query.select(nodeColumns)
export type NodeRow = Awaited<ReturnType<ReturnType<typeof selectNodes>['execute']>>[number]

async function pageOf(query: ReturnType<typeof nodesAtWork>, { page, pageSize }: Page) {
  const rows = await selectNodes(query).orderBy('nodes.id').$call(onePage({ page, pageSize })).execute()
  const total = await countOf(query)
  return { rows, total }
}

export function listZoneNodes(db: Database, zoneId: number, filter: Page & NodeFilter) {
  return pageOf(filtered(nodesAtWork(db).where('nodes.zoneId', '=', zoneId), filter), filter)
}

/** Nodes with this text in their name, address or note. */
function whereSays(query: ReturnType<typeof nodesAtWork>, text: string | undefined) {
  if (!text) return query
  const pattern = containing(text)
  return query.where((on) =>
    on.or([on('nodes.name', 'ilike', pattern), on('nodes.ip', 'ilike', pattern), on('nodes.memo', 'ilike', pattern)]),
  )
}

/** Nodes without a group: enrolled, but not in use. */
export function listUninitialized(db: Database): Promise<NodeRow[]> {
  return selectNodes(nodesAtWork(db).where('nodes.groupId', 'is', null))
    .orderBy('nodes.id')
    .execute()
}

export type NodeFilter = {
  portType?: number | undefined
  zoneIDs?: number[] | undefined
  value?: string | undefined
  version?: string | undefined
}

export function listInitialized(db: Database, filter: NodeFilter, page: Page) {
  return pageOf(filtered(nodesAtWork(db).where('nodes.groupId', 'is not', null), filter), page)
}

function filtered(query: ReturnType<typeof nodesAtWork>, { portType, zoneIDs, value, version }: NodeFilter) {
  let found = whereSays(query, value)
  if (portType !== undefined) found = found.where('groups.portType', '=', portType)
  if (zoneIDs && zoneIDs.length > 0) found = found.where('nodes.zoneId', 'in', zoneIDs)
  if (version) found = found.where('nodes.version', '=', version)
  return found
}

/** A node that is not revoked, within a zone if one is given. */
export function findNode(db: Database, id: number, zoneId?: number): Promise<NodeRow | undefined> {
  let query = nodesAtWork(db).where('nodes.id', '=', id)
  if (zoneId !== undefined) query = query.where('nodes.zoneId', '=', zoneId)
  return selectNodes(query).executeTakeFirst()
}

/** The exceptions of nodes: sites that they refuse, by node. */
export async function exceptionsOf(db: Database, nodeIds: number[]): Promise<Map<number, ZoneNode['exceptions']>> {
  const found = new Map<number, ZoneNode['exceptions']>()
  if (nodeIds.length === 0) return found
  const rows = await db
    .selectFrom('nodeExceptions as exception')
    .leftJoin('sites', 'sites.id', 'exception.siteId')
    .select(['exception.nodeId', 'exception.siteId', 'sites.name', 'exception.revision', 'exception.reason'])
    .where('exception.nodeId', 'in', nodeIds)
    .orderBy('exception.siteId')
    .execute()
  for (const { nodeId, siteId, name, revision, reason } of rows)
    found.set(nodeId, [...(found.get(nodeId) ?? []), { site: siteId, siteName: name ?? '', revision, reason }])
  return found
}

/** Notifies the node API processes that a node was revoked or moved. Delivered when the transaction commits. */
export async function notifyNode(db: Database, nodeId: number): Promise<void> {
  await sql`select pg_notify('nodes', ${String(nodeId)})`.execute(db)
}
