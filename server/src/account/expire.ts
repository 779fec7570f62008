/**
 * Expires accounts whose end date has passed: sets their status, ends their sessions, and audits it in their tenant.
 */
import { accountStatuses } from '@breakwater/contract/account/accounts.ts'
import { sql } from 'kysely'
import { endAllSessions } from '../auth/sessions.ts'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'

/** Returns how many accounts were expired. */
export function expireAccounts({ database }: Pick<Services, 'database'>): Promise<number> {
  return withSystem(database.db, async (db) => {
    const ended = await db
      .updateTable('accounts')
      .set({ status: accountStatuses.expired })
      .where('status', '=', accountStatuses.normal)
      .where('endsAt', '<=', sql<Date>`now()`)
      .returning(['id', 'account', 'tier', 'tenantId'])
      .execute()
    for (const { id } of ended) await endAllSessions(db, id)
    for (const { id, account, tier, tenantId } of ended) {
      const entry = { tenantId, accountId: id, accountName: account, tier, action: 'account.expired' }
      await db
        .insertInto('audit')
        .values({ ...entry, method: '', url: '', requestId: '', address: '' })
        .execute()
    }
    return ended.length
  })
}
