/**
 * Settings groups that are not published with a site, built from their declaration in the contract: one row of
 * `settings` per saved group.
 */
import type { SettingsGroup, SettingsOwner } from '@breakwater/contract/settings.ts'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { Caller, Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { implementSettings } from './implement-settings.ts'

/**
 * The owner whose settings a call is about. Those of sites, zones and nodes are published: `site-settings.ts`,
 * `node-configuration/`.
 */
const ownerIds = {
  operator: ({ tenantId }: Caller) => tenantId,
} satisfies Partial<Record<SettingsOwner, (caller: Caller) => number>>
type Owner = keyof typeof ownerIds

/** How a group is saved, if that differs from what is sent: a secret is sealed, for example. */
export type SavedSettings<Body, Value extends object, Answer> = {
  saved: z.ZodType<Value>
  /** Used while nothing is saved. */
  none: Value
  /** Converts what was sent into what is saved. */
  save(services: Services, db: Database, caller: Caller, body: Body, before: Value): Promise<Value> | Value
  show(services: Services, caller: Caller, value: Value): Answer
  /** What the audit log records of it, without secrets. */
  audited(value: Value): object
  /** Called after it was saved or removed. */
  changed?(services: Services, db: Database, caller: Caller, value: Value): Promise<void>
}

/** The calls of a group, each in a transaction as the caller. */
export function settingsFeature<O extends Owner, Body extends z.ZodObject, Value extends object, Answer>(
  services: Services,
  group: SettingsGroup<O, Body, Answer>,
  store: SavedSettings<z.output<Body>, Value, Answer>,
): Feature {
  const { owner, name } = group
  const read = async (db: Database, caller: Caller): Promise<Value> =>
    (await readSettings(db, owner, ownerIds[owner](caller), name, store.saved)) ?? store.none
  // Inside, every group has one shape; its own fields matter only to the schema that already parsed them.
  const calls = group.calls as unknown as SettingsGroup<'operator', z.ZodObject, Answer>['calls']
  return implementSettings(owner, calls as never, {
    async get({ db, caller }) {
      return store.show(services, caller, await read(db, caller))
    },

    async update({ db, caller, body, audit }) {
      const before = await read(db, caller)
      const value = await store.save(services, db, caller, body as z.output<Body>, before)
      await writeSettings(db, { owner, ownerId: ownerIds[owner](caller), name, tenantId: caller.tenantId }, value)
      await store.changed?.(services, db, caller, value)
      audit.detail = { before: store.audited(before), after: store.audited(value) }
    },

    async remove({ db, caller, audit }) {
      const before = await read(db, caller)
      await removeSettings(db, owner, ownerIds[owner](caller), name)
      await store.changed?.(services, db, caller, store.none)
      audit.detail = { before: store.audited(before), after: store.audited(store.none) }
    },
  })
}

/** Saves a group. */
export async function writeSettings(
  db: Database,
  key: { owner: SettingsOwner; ownerId: number; name: string; tenantId: number },
  value: object,
): Promise<void> {
  const row = { value: JSON.stringify(value), updatedAt: new Date() }
  await db
    .insertInto('settings')
    .values({ ...key, ...row })
    .onConflict((on) => on.columns(['owner', 'ownerId', 'name']).doUpdateSet(row))
    .execute()
}

/** Resets a group to its defaults. */
export async function removeSettings(db: Database, owner: SettingsOwner, ownerId: number, name: string): Promise<void> {
  await db
    .deleteFrom('settings')
    .where('owner', '=', owner)
    .where('ownerId', '=', ownerId)
    .where('name', '=', name)
    .execute()
}

/** The saved value of a group, or undefined if it has its defaults. */
export async function readSettings<Value extends object>(
  db: Database,
  owner: SettingsOwner,
  ownerId: number,
  name: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('owner', '=', owner)
    .where('ownerId', '=', ownerId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && schema.parse(row.value)
}
