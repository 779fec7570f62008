/** Locking after repeated failures, counted by typed name and by address whether or not the account exists (gaps L-13, ruling 8). */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { notify } from '../messages/notify.ts'

const failuresMax = 5
/** An address may stand for an office: it gets more tries than one name. */
const addressFailuresMax = 50
const windowMinutes = 15

const keysOf = (tier: string, account: string, address: string): [string, number][] => [
  [`${tier}/name/${account.toLowerCase()}`, failuresMax],
  [`${tier}/address/${address}`, addressFailuresMax],
]

/** Whether a name or an address is locked at the moment. */
export async function isLocked(db: Database, tier: string, account: string, address: string): Promise<boolean> {
  const keys = keysOf(tier, account, address).map(([key]) => key)
  const row = await db
    .selectFrom('signInFailures')
    .select('key')
    .where('key', 'in', keys)
    .where('lockedUntil', '>', new Date())
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a failure; the fifth within fifteen minutes locks for fifteen minutes. */
export async function countFailure(db: Database, tier: string, account: string, address: string): Promise<void> {
  for (const [key, max] of keysOf(tier, account, address)) {
    const { rows } = await sql<{ failures: number }>`
      insert into sign_in_failures as f (key, failures) values (${key}, 1)
      on conflict (key) do update set
        failures = case when f.since < now() - make_interval(mins => ${windowMinutes}) then 1 else f.failures + 1 end,
        since = case when f.since < now() - make_interval(mins => ${windowMinutes}) then now() else f.since end,
        locked_until = case when f.failures + 1 >= ${max}::int and f.since >= now() - make_interval(mins => ${windowMinutes})
          then now() + make_interval(mins => ${windowMinutes}) else f.locked_until end
      returning failures`.execute(db)
    if (max === failuresMax && rows[0]?.failures === max) await tellOfLock(db, tier, account, address)
  }
}

/** Tells the person whose name is locked now, if there is one. */
async function tellOfLock(db: Database, tier: string, account: string, address: string): Promise<void> {
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'tenantId'])
    .where(sql<boolean>`tier = ${tier} and lower(account) = ${account.toLowerCase()}`)
    .executeTakeFirst()
  if (!found) return
  const { id: accountId, tenantId } = found
  await notify(db, { event: 'accountLocked', tenantId, accountId, about: 'lock', values: { address } })
}

/** Forgets the failures of a name after it signed in. The address keeps its count. */
export async function forgetFailures(db: Database, tier: string, account: string): Promise<void> {
  await db.deleteFrom('signInFailures').where('key', '=', `${tier}/name/${account.toLowerCase()}`).execute()
}
