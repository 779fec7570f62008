/**
 * Settings groups that are not published with a site, from their declaration in the contract: a row of `settings` for
 * each group that was saved.
 */
import type { SettingsGroup, SettingsOwner } from '@breakwater/contract/settings.ts'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { Caller, Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { implementSettings } from './implement-settings.ts'

/** Whose settings a call is about. Those of sites, zones and nodes are published: `site-settings.ts`, `node-configuration/`. */
const ownerIds = {
  operator: ({ tenantId }: Caller) => tenantId,
} satisfies Partial<Record<SettingsOwner, (caller: Caller) => number>>
type Owner = keyof typeof ownerIds

/** What is saved of a group, where it is not what is sent: a secret is sealed, for example. */
export type SavedSettings<Body, Value extends object, Answer> = {
  saved: z.ZodType<Value>
  /** In place of what is saved, while nothing is. */
  none: Value
  /** From what was sent to what is saved. */
  save(services: Services, db: Database, caller: Caller, body: Body, before: Value): Promise<Value> | Value
  show(services: Services, caller: Caller, value: Value): Answer
  /** What the audit log tells of it: no secrets. */
  audited(value: Value): object
  /** After it was saved or removed. */
  changed?(services: Services, db: Database, caller: Caller, value: Value): Promise<void>
}

/** The calls of a group, in a transaction as the caller each. */
export function settingsFeature<O extends Owner, Body extends z.ZodObject, Value extends object, Answer>(
  services: Services,
  group: SettingsGroup<O, Body, Answer>,
  store: SavedSettings<z.output<Body>, Value, Answer>,
): Feature {
  const { owner, name } = group
  const read = async (db: Database, caller: Caller): Promise<Value> =>
    (await readSettings(db, owner, ownerIds[owner](caller), name, store.saved)) ?? store.none
  // Inside, every group is one shape; its own fields matter only to the schema that already parsed them.
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

/** Has the defaults of a group hold again. */
export async function removeSettings(db: Database, owner: SettingsOwner, ownerId: number, name: string): Promise<void> {
  await db
    .deleteFrom('settings')
    .where('owner', '=', owner)
    .where('ownerId', '=', ownerId)
    .where('name', '=', name)
    .execute()
}

/** What is saved of a group, or nothing where its defaults hold. */
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
