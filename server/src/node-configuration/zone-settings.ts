/** Settings groups of zones and nodes, from their declarations in the contract: saved as others are, and published. */
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { Fault, gone } from '../http/fault.ts'
import type { Feature } from '../http/implement.ts'
import { implementSettings } from '../settings/implement-settings.ts'
import { readSettings, removeSettings, writeSettings } from '../settings/owned-settings.ts'
import { changeZone } from './change-zone.ts'
import { requireZone } from './require-zone.ts'

type Owned = { ownerId: number; zoneId: number; node?: { id: number; name: string } }
type OwnerCall = { db: Database } & Partial<Record<'zoneId' | 'nodeId', number>>

/** Whose settings a call is about, if the caller may know that it exists. */
const owners = {
  async zone({ db, zoneId }: OwnerCall): Promise<Owned> {
    const { id } = await requireZone(db, zoneId!)
    return { ownerId: id, zoneId: id }
  },
  async node({ db, nodeId }: OwnerCall): Promise<Owned> {
    const node = await db
      .selectFrom('nodes')
      .select(['id', 'name', 'zoneId', 'revokedAt'])
      .where('id', '=', nodeId!)
      .executeTakeFirst()
    if (!node) throw new Fault('permissionDenied')
    if (node.revokedAt) throw gone()
    return { ownerId: node.id, zoneId: node.zoneId, node: { id: node.id, name: node.name } }
  },
}

export function zoneSettingsFeature<O extends keyof typeof owners, Body extends z.ZodObject>(
  group: SettingsGroup<O, Body, z.output<Body>>,
): Feature {
  const { owner, name, defaults } = group
  const schema = group.schema as unknown as z.ZodType<z.output<Body> & object>
  // Inside, every group is one shape; its own fields matter only to the schema that already parsed them.
  const calls = group.calls as unknown as SettingsGroup<'zone', z.ZodObject, unknown>['calls']
  return implementSettings(owner, calls, {
    async get(call) {
      const { ownerId } = await owners[owner](call)
      return (await readSettings(call.db, owner, ownerId, name, schema)) ?? defaults
    },
    async update(call) {
      const { ownerId, zoneId, node } = await owners[owner](call)
      const key = { owner, ownerId, name, tenantId: call.caller.tenantId }
      await changeZone(call, zoneId, (db) => writeSettings(db, key, call.body), node)
    },
    async remove(call) {
      const { ownerId, zoneId, node } = await owners[owner](call)
      await changeZone(call, zoneId, (db) => removeSettings(db, owner, ownerId, name), node)
    },
  })
}
