/**
 * Limits per owner: code that counts and then inserts locks the owner's row from before the count to the end of the
 * transaction, so that concurrent calls cannot exceed a limit together. Lock an owner before anything else in a
 * transaction except a site's row, and never after an audit entry.
 */
import { asSystem, type Database } from './database.ts'

/** Locks a tenant. `no key update`: rows that only reference the tenant are not blocked. */
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
