/** Puts enrolled nodes to work: into the main group of a zone, all of them or none. */
import type { ErrorName } from '@breakwater/contract/errors.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, Faults } from '../http/fault.ts'
import type { Services } from '../http/services.ts'
import { makeLicenseGate } from '../licenses/limits.ts'
import { speaksOurs } from './enrol.ts'
import { findNode, type NodeRow, notifyNode } from './nodes.store.ts'
import { mainGroupOf, putToWork } from './put-to-work.ts'

type Problem = { reason: ErrorName; targets: string[] }

/** Why a node cannot be put to work, if so. Its clock was checked when it enrolled. */
function problemOf(node: NodeRow | undefined, id: number): Problem | undefined {
  if (!node) return { reason: 'permissionDenied', targets: [String(id)] }
  if (node.groupName !== null) return { reason: 'nodeInGroup', targets: [node.name] }
  if (!speaksOurs(node.schemas)) return { reason: 'nodeVersionMismatch', targets: [node.name] }
  return undefined
}

/** Runs as the caller, who sees its own nodes only. Returns the nodes' names. */
export async function initializeNodes(
  db: Database,
  { vault, env }: Pick<Services, 'vault' | 'env'>,
  operatorId: number,
  zoneId: number,
  { ids, portType }: { ids: number[]; portType: number },
): Promise<string[]> {
  const groupId = await mainGroupOf(db, zoneId, portType)
  if (groupId === undefined) throw new Fault('illegalPortType')
  const found = await Promise.all([...new Set(ids)].map(async (id) => ({ id, node: await findNode(db, id) })))
  const problems = found.flatMap(({ id, node }) => problemOf(node, id) ?? [])
  await makeLicenseGate(env).requireRoom(db, operatorId, 'nodes', found.length)
  if (problems.length > 0) throw ids.length === 1 ? new Fault(problems[0]!.reason) : new Faults(problems)
  await asSystem(db, async (tx) => {
    await putToWork(tx, vault, groupId)
    for (const { id } of found) {
      await tx.updateTable('nodes').set({ zoneId, groupId, watermark: 0 }).where('id', '=', id).execute()
      await notifyNode(tx, id)
    }
  })
  return found.map(({ node }) => node!.name)
}
