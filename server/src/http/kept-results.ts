/**
 * Results of calls with an idempotency key. A call that is one transaction takes its key and stores its result in it, so
 * a failed call leaves nothing. Other calls take the key first, and give it back where they fail.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'
import { Fault } from './fault.ts'
import { idempotencyHeader, type KeyUse } from './idempotency.ts'

/** How long a result is kept, and after how long a call that never ended no longer holds its key: longer than any call takes. */
export const keptFor = sql.lit('1 day')
const runsAtMost = sql.lit('10 minutes')

export class KeptResults {
  private readonly vault: Vault
  /** The last of those who wait for a key, in this process. Waiting here costs no connection; other processes wait for the row. */
  private readonly queues = new Map<string, Promise<unknown>>()

  constructor(vault: Vault) {
    this.vault = vault
  }

  /** Runs uses of one key one after the other. */
  async inTurn<T>(use: KeyUse, run: () => Promise<T>): Promise<T> {
    const name = resultContext(use)
    const mine = (this.queues.get(name) ?? Promise.resolve()).then(run, run)
    this.queues.set(name, mine)
    try {
      return await mine
    } finally {
      if (this.queues.get(name) === mine) this.queues.delete(name)
    }
  }

  /**
   * Takes the key, as the caller. Answers the earlier result where there is one.
   * Throws 101003 (422) where the key was used for another call, and 101025 (409) while such a call runs in another process.
   */
  async take(db: Database, use: KeyUse): Promise<{ value: unknown } | undefined> {
    const { accountId, tenantId, actor, key, callHash } = use
    const taken = await sql`
      insert into idempotency_keys as k (account_id, actor, key, tenant_id, call_hash)
      values (${accountId}, ${actor}, ${key}, ${tenantId}, ${callHash})
      on conflict (account_id, actor, key) do update
      set call_hash = excluded.call_hash, result = null, created_at = now()
      where k.created_at < now() - interval ${keptFor}
        or (k.result is null and k.created_at < now() - interval ${runsAtMost})
      returning key`.execute(db)
    if (taken.rows.length > 0) return undefined
    const before = await this.rowOf(db, use).select(['callHash', 'result']).executeTakeFirst()
    if (before && !before.callHash.equals(callHash))
      throw new Fault('parameterError', [{ field: idempotencyHeader, reason: 'duplicatedData' }], {
        status: 422,
        message: 'This idempotency key was used for another call',
      })
    if (!before?.result)
      throw new Fault('duplicatedData', [{ field: idempotencyHeader, reason: 'duplicatedData' }], {
        status: 409,
        message: 'A call with this idempotency key is running',
        retryAfterSeconds: 1,
      })
    return JSON.parse(this.vault.open(before.result, resultContext(use)).toString())
  }

  async store(db: Database, use: KeyUse, value: unknown): Promise<void> {
    const result = this.vault.seal(Buffer.from(JSON.stringify({ value })), resultContext(use))
    const { accountId, actor, key } = use
    await db
      .updateTable('idempotencyKeys')
      .set({ result })
      .where('accountId', '=', accountId)
      .where('actor', '=', actor)
      .where('key', '=', key)
      .execute()
  }

  /** Gives the key back after a call that failed. */
  async giveBack(db: Database, { accountId, actor, key }: KeyUse): Promise<void> {
    await db
      .deleteFrom('idempotencyKeys')
      .where('accountId', '=', accountId)
      .where('actor', '=', actor)
      .where('key', '=', key)
      .where('result', 'is', null)
      .execute()
  }

  private rowOf(db: Database, { accountId, actor, key }: KeyUse) {
    return db
      .selectFrom('idempotencyKeys')
      .where('accountId', '=', accountId)
      .where('actor', '=', actor)
      .where('key', '=', key)
  }
}

/** What a result is sealed for. */
export const resultContext = ({ accountId, actor, key }: Pick<KeyUse, 'accountId' | 'actor' | 'key'>): string =>
  `idempotency|${accountId}|${actor}|${key}`
