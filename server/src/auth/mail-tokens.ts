/** One-time tokens sent by mail: valid for 24 hours, stored hashed. A new token invalidates the earlier ones. */
import { mailTokenSeconds } from '@breakwater/contract/auth/invitation.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { hashToken, newToken } from './tokens.ts'

/** Creates the only valid token of an account. */
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

/** The account of a token. Throws 101012 if the token is unknown, used or expired. Runs as the system. */
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

/** Marks a token as used. Of two concurrent uses, one throws 101012. */
export async function consumeMailToken(db: Database, token: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('mailTokens')
    .set({ usedAt: new Date() })
    .where('tokenHash', '=', hashToken(token))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Fault('credentialRefused')
}
