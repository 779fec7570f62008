/** Puts enrolled nodes into use: into the main group of a zone, all of them or none. */
import type { ErrorName } from '@breakwater/contract/errors.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, Faults, fieldFault } from '../http/fault.ts'
import { makeLicenseChecks } from '../licenses/limits.ts'
import { changeNodesAtWork } from '../node-configuration/shadow-node.ts'
import type { Services } from '../process/services.ts'
import type { About } from '../publish/publish-sites.ts'
import { activateGroup, mainGroupOf } from './activate-group.ts'
import { isSchemaSupported } from './enrol.ts'
import { findNode, type NodeRow, notifyNode } from './nodes.store.ts'

type Problem = { reason: ErrorName; targets: string[] }

/** Why a node cannot be put into use, if so. Its clock was checked when it enrolled. */
function problemOf(node: NodeRow | undefined, id: number): Problem | undefined {
  if (!node) return { reason: 'permissionDenied', targets: [String(id)] }
  if (node.groupName !== null) return { reason: 'nodeInGroup', targets: [node.name] }
  if (!isSchemaSupported(node.schemas)) return { reason: 'nodeVersionMismatch', targets: [node.name] }
  return undefined
}

/** The requested group, or the first main group for the port type. */
async function groupFor(db: Database, zoneId: number, portType: number, groupId: number | undefined) {
  if (groupId === undefined) return mainGroupOf(db, zoneId, portType)
  const group = await db
    .selectFrom('groups')
    .select(['id', 'portType'])
    .where('id', '=', groupId)
    .where('zoneId', '=', zoneId)
    .executeTakeFirst()
  if (!group) throw fieldFault('groupID', 'notFound')
  return group.portType === portType ? group.id : undefined
}

type Placing = { zoneId: number; ids: number[]; portType: number; groupID?: number | undefined; about: About }

/** Runs as the caller, who sees only their own nodes. Returns the nodes' names. */
export async function initializeNodes(
  db: Database,
  { vault, env }: Pick<Services, 'vault' | 'env'>,
  operatorId: number,
  { zoneId, ids, portType, groupID, about }: Placing,
): Promise<string[]> {
  const groupId = await groupFor(db, zoneId, portType, groupID)
  if (groupId === undefined) throw new Fault('illegalPortType')
  const found = await Promise.all([...new Set(ids)].map(async (id) => ({ id, node: await findNode(db, id) })))
  const problems = found.flatMap(({ id, node }) => problemOf(node, id) ?? [])
  await makeLicenseChecks(env).requireRoom(db, operatorId, 'nodes', found.length)
  if (problems.length > 0) throw ids.length === 1 ? new Fault(problems[0]!.reason) : new Faults(problems)
  await asSystem(db, (tx) =>
    changeNodesAtWork(tx, [zoneId], about, async () => {
      await activateGroup(tx, vault, groupId)
      for (const { id } of found) {
        await tx.updateTable('nodes').set({ zoneId, groupId, watermark: 0 }).where('id', '=', id).execute()
        await notifyNode(tx, id)
      }
    }),
  )
  return found.map(({ node }) => node!.name)
}
