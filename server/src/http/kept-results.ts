/**
 * Results of calls with an idempotency key. A call that is one transaction takes its key and stores its result in that
 * transaction, so a failed call leaves nothing. Other calls take the key first and release it if they fail.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'
import { Fault } from './fault.ts'
import { idempotencyHeader, type KeyUse } from './idempotency.ts'

/** How long a result is kept, and after how long a call that never ended loses its key: longer than any call takes. */
export const keptFor = sql.lit('1 day')
const runsAtMost = sql.lit('10 minutes')

export class KeptResults {
  private readonly vault: Vault
  /**
   * The last waiter for each key in this process. Waiting here takes no connection; other processes wait for the row.
   */
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
   * Takes the key, as the caller. Returns the earlier result if there is one. Throws 101003 (422) if the key was used
   * for a different call, and 101025 (409) while such a call runs in another process.
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

  /** Releases the key after a failed call. */
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

/** The context for which a result is sealed. */
export const resultContext = ({ accountId, actor, key }: Pick<KeyUse, 'accountId' | 'actor' | 'key'>): string =>
  `idempotency|${accountId}|${actor}|${key}`
