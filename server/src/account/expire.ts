/** Ends accounts whose time is over: their state says so, their sessions end, and the log of their tenant knows. */
import { accountStatuses } from '@breakwater/contract/account/accounts.ts'
import { sql } from 'kysely'
import { endAllSessions } from '../auth/sessions.ts'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'

/** Returns how many ended. */
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
