/** Validates the groups of a product. */
import type { ErrorName } from '@breakwater/contract/errors.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

export type GroupChoice = { zoneID: number; groupID: number; isBackup: boolean }

const refusal = (index: number, reason: string, name: ErrorName = 'parameterError') =>
  new Fault(name, [{ field: `groups.${index}.groupID`, reason }])

/**
 * The ids of the chosen groups. They must be groups of the caller's zones (a caller with only some zones leaves the
 * groups of others as they are), of the product's port type (101023), and in the role that they were made for, and a
 * layer 4 group must not belong to another product (204001).
 */
export async function checkGroups(
  db: Database,
  product: { id: number; portType: number },
  chosen: GroupChoice[],
): Promise<number[]> {
  const ids = chosen.map(({ groupID }) => groupID)
  // Sequentially: the first query runs as the caller, the others as the system.
  const known = await db
    .selectFrom('groups')
    .select(['id', 'zoneId', 'portType', 'isBackup'])
    .where('id', 'in', ids)
    .execute()
  const held = await heldGroups(db, product.id)
  const shared = await layer4Elsewhere(db, product.id, ids)
  const seen = new Set<string>()
  for (const [index, { zoneID, groupID, isBackup }] of chosen.entries()) {
    const group = known.find(({ id }) => id === groupID)
    if (!group) {
      if (held.some(({ groupId }) => groupId === groupID)) continue
      throw new Fault('permissionDenied')
    }
    if (group.zoneId !== zoneID) throw refusal(index, 'groupOfAnotherZone')
    if (group.portType !== product.portType) throw refusal(index, 'portType', 'illegalPortType')
    if (group.isBackup !== isBackup) throw refusal(index, isBackup ? 'notABackupGroup' : 'isABackupGroup')
    if (shared.includes(groupID)) throw new Fault('layer4GroupInUse')
    const place = `${zoneID} ${isBackup}`
    if (seen.has(place)) throw refusal(index, 'oneOfEachZone')
    seen.add(place)
  }
  const visible = await db
    .selectFrom('groups')
    .select('id')
    .where('id', 'in', [0, ...held.map(({ groupId }) => groupId)])
    .execute()
  const foreign = held.filter(({ groupId }) => !visible.some(({ id }) => id === groupId))
  const all = [...new Set([...ids, ...foreign.map(({ groupId }) => groupId)])]
  const hasMain = chosen.some(({ isBackup }) => !isBackup) || foreign.some(({ isBackup }) => !isBackup)
  if (!hasMain) throw new Fault('parameterError', [{ field: 'groups', reason: 'noMainGroup' }])
  return all
}

/** The groups of a product, including those of zones that the caller cannot see. */
const heldGroups = (db: Database, productId: number) =>
  asSystem(db, (tx) =>
    tx
      .selectFrom('productGroups')
      .innerJoin('groups', 'groups.id', 'productGroups.groupId')
      .select(['groups.id as groupId', 'groups.isBackup'])
      .where('productGroups.productId', '=', productId)
      .execute(),
  )

/** Those of the groups that are layer 4 and belong to another product. */
async function layer4Elsewhere(db: Database, productId: number, ids: number[]): Promise<number[]> {
  const rows = await asSystem(db, (tx) =>
    tx
      .selectFrom('productGroups')
      .innerJoin('groups', 'groups.id', 'productGroups.groupId')
      .select('groups.id')
      .where('groups.id', 'in', ids)
      .where('groups.portType', '=', 4)
      .where('productGroups.productId', '!=', productId)
      .execute(),
  )
  return rows.map(({ id }) => id)
}
