/** One-time tokens that travel by mail: 24 hours, kept hashed, and a newer one ends those before it. */
import { mailTokenSeconds } from '@breakwater/contract/auth/invitation.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { hashToken, newToken } from './tokens.ts'

/** Makes the one valid token of an account. */
export async function issueMailToken(db: Database, accountId: number): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(Date.now() + mailTokenSeconds * 1000)
  await asSystem(db, async (tx) => {
    await tx.deleteFrom('mailTokens').where('accountId', '=', accountId).execute()
    await tx
      .insertInto('mailTokens')
      .values({ tokenHash: hashToken(token), accountId, expiresAt })
      .execute()
  })
  return token
}

/** Whose token it is. Throws 101012 for one that is unknown, used or past its time. Runs as the system. */
export async function accountOfMailToken(db: Database, token: string) {
  const row = await db
    .selectFrom('mailTokens')
    .innerJoin('accounts', 'accounts.id', 'mailTokens.accountId')
    .select(['accounts.id', 'accounts.tier', 'accounts.email', 'accounts.name', 'accounts.account'])
    .select(['accounts.tenantId', 'accounts.passwordHash', 'accounts.status'])
    .where('tokenHash', '=', hashToken(token))
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', new Date())
    .executeTakeFirst()
  if (!row) throw new Fault('credentialRefused')
  return row
}

/** Uses a token up. Of two that come together, one gets 101012. */
export async function consumeMailToken(db: Database, token: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('mailTokens')
    .set({ usedAt: new Date() })
    .where('tokenHash', '=', hashToken(token))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Fault('credentialRefused')
}
