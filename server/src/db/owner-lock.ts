/**
 * Limits of an owner: whoever counts and then adds holds the owner's row from before the count to the end of the
 * transaction, so that calls at once cannot pass a limit together. Lock an owner before anything else of a transaction
 * but a site's row, and never after an audit entry.
 */
import { asSystem, type Database } from './database.ts'

/** Locks a tenant. `no key update`: rows that only refer to the tenant are not held up. */
export async function lockTenant(db: Database, tenantId: number): Promise<void> {
  await asSystem(db, (tx) =>
    tx.selectFrom('tenants').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute(),
  )
}

/** Locks an account in the same way. */
export async function lockAccount(db: Database, accountId: number): Promise<void> {
  await asSystem(db, (tx) =>
    tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute(),
  )
}
