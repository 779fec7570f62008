/** The calls of a settings group; a save with `basedOn` is rejected if those values have changed since. */
import type { BasedOn } from '@breakwater/contract/based-on.ts'
import type { SettingsGroup, SettingsOwner } from '@breakwater/contract/settings.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { type Caller, type Feature, type Handlers, implement } from '../http/implement.ts'

type Calls<O extends SettingsOwner, Body extends z.ZodObject, Answer> = SettingsGroup<O, Body, Answer>['calls']
type OwnerCall = { db: Database; caller: Caller } & { [id in 'siteId' | 'zoneId' | 'nodeId']?: number }

export function implementSettings<O extends SettingsOwner, Body extends z.ZodObject, Answer>(
  owner: O,
  calls: Calls<O, Body, Answer>,
  { get, update, remove }: Handlers<Calls<O, Body, Answer>>,
): Feature {
  return implement(calls, {
    get,
    async update(call) {
      // The schema that parsed the body defines its fields; this is the only one that all groups share.
      const { basedOn, ...body } = (call as unknown as { body: { basedOn?: BasedOn } }).body
      await lockSettings(owner, call)
      if (basedOn) requireUnchanged(basedOn, (await get(call as never)) as object)
      await update({ ...call, body } as never)
    },
    async remove(call) {
      await lockSettings(owner, call)
      await remove(call)
    },
  })
}

/** Until the transaction ends, nobody else can save settings of this owner. */
export async function lockSettings(
  owner: SettingsOwner,
  { db, caller, siteId, zoneId, nodeId }: OwnerCall,
): Promise<void> {
  const name = `settings of ${owner} ${siteId ?? zoneId ?? nodeId ?? caller.tenantId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}
