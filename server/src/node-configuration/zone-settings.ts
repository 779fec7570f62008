/**
 * Settings groups of zones and nodes, built from their declarations in the contract: saved like others, and published.
 */
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

/** The zone or node that a call is about, if the caller may see it. */
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

/** For groups whose answer differs from what was sent, or that need more checks than the schema's. */
type Hooks<Value, Answer> = {
  /** Returns what to save; runs as the caller, before anything is saved. Throws a Fault. */
  check(value: Value, db: Database): Value | Promise<Value>
  show(value: Value): Answer
}

export function zoneSettingsFeature<O extends keyof typeof owners, Body extends z.ZodObject, Answer = z.output<Body>>(
  group: SettingsGroup<O, Body, Answer>,
  ...[hooks]: Answer extends z.output<Body>
    ? [Partial<Hooks<z.output<Body>, Answer>>?]
    : [Hooks<z.output<Body>, Answer>]
): Feature {
  const { owner, name, defaults } = group
  const schema = group.schema as unknown as z.ZodType<z.output<Body> & object>
  // Inside, every group has one shape; its own fields matter only to the schema that already parsed them.
  const calls = group.calls as unknown as SettingsGroup<'zone', z.ZodObject, unknown>['calls']
  return implementSettings(owner, calls, {
    async get(call) {
      const { ownerId } = await owners[owner](call)
      const saved = await readSettings(call.db, owner, ownerId, name, schema)
      return saved === undefined ? defaults : hooks?.show ? hooks.show(saved) : saved
    },
    async update(call) {
      const { ownerId, zoneId, node } = await owners[owner](call)
      const key = { owner, ownerId, name, tenantId: call.caller.tenantId }
      const sent = call.body as z.output<Body>
      const change = async (db: Database) => writeSettings(db, key, hooks?.check ? await hooks.check(sent, db) : sent)
      await changeZone(call, zoneId, change, node)
    },
    async remove(call) {
      const { ownerId, zoneId, node } = await owners[owner](call)
      await changeZone(call, zoneId, (db) => removeSettings(db, owner, ownerId, name), node)
    },
  })
}
