/**
 * Locking after repeated failures, counted by typed name and by address whether or not the account
 * exists. A try is counted before it is judged and given back when it was right, so that of many at once, in any
 * number of processes, no more are judged than the limit allows.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { notify } from '../messages/notify.ts'

const failuresMax = 5
/** An address may stand for an office: it gets more tries than one name. */
const addressFailuresMax = 50
const windowMinutes = 15

/** Who tries: a typed name in a console, from an address. */
export type Trier = { tier: string; account: string; address: string }

const nameKey = ({ tier, account }: Trier) => `${tier}/name/${account.toLowerCase()}`
const addressKey = ({ tier, address }: Trier) => `${tier}/address/${address}`

/** Counts one try and returns how many there are now; past `max` the key is locked for the window from the try that reached it. */
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

/** `mayPass`: the try may be judged. `isLast`: if it fails, the name is locked. */
export type Try = { mayPass: boolean; isLast: boolean }

/** Takes one of the tries of a name and an address. Commit it before judging. A locked address counts toward no name. */
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

/** Gives a try back that was right, but is no sign-in yet. */
export async function returnAttempt(db: Database, trier: Trier): Promise<void> {
  await giveBackOne(db, addressKey(trier), addressFailuresMax)
  await giveBackOne(db, nameKey(trier), failuresMax)
}

/** Forgets the failures of a name after it signed in. The address keeps its count, without this try. */
export async function forgetFailures(db: Database, trier: Trier): Promise<void> {
  await giveBackOne(db, addressKey(trier), addressFailuresMax)
  await db.deleteFrom('signInFailures').where('key', '=', nameKey(trier)).execute()
}

/** Tells the person whose name was locked by a failure, if there is one. */
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

/** Lifts the lock of an account's names. */
export async function unlock(db: Database, accountId: number): Promise<void> {
  await sql`delete from sign_in_failures using accounts where accounts.id = ${accountId} and sign_in_failures.key in
    (accounts.tier || '/name/' || lower(accounts.account), accounts.tier || '/name/' || lower(accounts.email))`.execute(
    db,
  )
}

/** Counts a failure that was judged under a limit of its own: a second step's code. */
export async function countFailure(db: Database, trier: Trier): Promise<void> {
  if ((await takeAttempt(db, trier)).isLast) await notifyLocked(db, trier)
}

const queues = new Map<string, Promise<unknown>>()

/** Runs the tries of one name one after the other, so that several right ones at once do not use up each other's. */
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
