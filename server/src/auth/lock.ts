/**
 * Locks sign-in after repeated failures, counted by typed name and by address, whether or not the account exists. An
 * attempt is counted before it is checked and uncounted if it was right. So of many concurrent attempts, in any number
 * of processes, no more are checked than the limit allows.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { notify } from '../messages/notify.ts'

const failuresMax = 5
/** One address may be a whole office, so it gets more attempts than one name. */
const addressFailuresMax = 50
const windowMinutes = 15

/** Who tries to sign in: a typed name in one console, from an address. */
export type Trier = { tier: string; account: string; address: string }

const nameKey = ({ tier, account }: Trier) => `${tier}/name/${account.toLowerCase()}`
const addressKey = ({ tier, address }: Trier) => `${tier}/address/${address}`

/** Counts one attempt and returns the current count. The attempt that reaches `max` locks the key for the window. */
async function countOne(db: Database, key: string, max: number): Promise<number> {
  const isOver = sql`(f.since < now() - make_interval(mins => ${windowMinutes}) and coalesce(f.locked_until <= now(), true))`
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as f (key, failures) values (${key}, 1)
    on conflict (key) do update set
      failures = case when ${isOver} then 1 else f.failures + 1 end,
      since = case when ${isOver} then now() else f.since end,
      locked_until = case when ${isOver} then null
        when f.failures + 1 = ${max}::int then now() + make_interval(mins => ${windowMinutes}) else f.locked_until end
    returning failures`.execute(db)
  return rows[0]!.failures
}

/** `mayPass`: the attempt may be checked. `isLast`: if it fails, the name is locked. */
export type Try = { mayPass: boolean; isLast: boolean }

/**
 * Takes one attempt of a name and an address. Commit before checking it. A locked address does not count against a
 * name.
 */
export async function takeAttempt(db: Database, trier: Trier): Promise<Try> {
  if ((await countOne(db, addressKey(trier), addressFailuresMax)) > addressFailuresMax)
    return { mayPass: false, isLast: false }
  const failures = await countOne(db, nameKey(trier), failuresMax)
  return { mayPass: failures <= failuresMax, isLast: failures === failuresMax }
}

const giveBackOne = (db: Database, key: string, max: number) =>
  sql`update sign_in_failures set failures = greatest(failures - 1, 0),
      locked_until = case when failures - 1 < ${max}::int then null else locked_until end where key = ${key}`.execute(
    db,
  )

/** Uncounts an attempt that was right but does not yet complete the sign-in. */
export async function returnAttempt(db: Database, trier: Trier): Promise<void> {
  await giveBackOne(db, addressKey(trier), addressFailuresMax)
  await giveBackOne(db, nameKey(trier), failuresMax)
}

/** Clears the failures of a name after it signed in. The address keeps its count, without this attempt. */
export async function forgetFailures(db: Database, trier: Trier): Promise<void> {
  await giveBackOne(db, addressKey(trier), addressFailuresMax)
  await db.deleteFrom('signInFailures').where('key', '=', nameKey(trier)).execute()
}

/** Notifies the account whose name was locked by a failure, if it exists. */
export async function notifyLocked(db: Database, { tier, account, address }: Trier): Promise<void> {
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'tenantId'])
    .where(sql<boolean>`tier = ${tier} and lower(account) = ${account.toLowerCase()}`)
    .executeTakeFirst()
  if (!found) return
  const { id: accountId, tenantId } = found
  await notify(db, { event: 'accountLocked', tenantId, accountId, about: 'lock', values: { address } })
}

/** Lifts the lock on an account's names. */
export async function unlock(db: Database, accountId: number): Promise<void> {
  await sql`delete from sign_in_failures using accounts where accounts.id = ${accountId} and sign_in_failures.key in
    (accounts.tier || '/name/' || lower(accounts.account), accounts.tier || '/name/' || lower(accounts.email))`.execute(
    db,
  )
}

/** Counts a failure that was checked under a limit of its own: a second-step code. */
export async function countFailure(db: Database, trier: Trier): Promise<void> {
  if ((await takeAttempt(db, trier)).isLast) await notifyLocked(db, trier)
}

const queues = new Map<string, Promise<unknown>>()

/** Runs the attempts of one name one after the other, so that several correct ones at once do not use up the limit. */
export async function oneAtATime<T>(trier: Trier, run: () => Promise<T>): Promise<T> {
  const key = nameKey(trier)
  const before = queues.get(key) ?? Promise.resolve()
  const mine = before.then(run, run)
  queues.set(key, mine)
  try {
    return await mine
  } finally {
    if (queues.get(key) === mine) queues.delete(key)
  }
}
