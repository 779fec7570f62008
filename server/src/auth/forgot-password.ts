/** Forgotten passwords: mails a link to the account's own address, at most three times an hour. */
import { accountStatuses } from '@breakwater/contract/account/accounts.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { lockAccount } from '../db/owner-lock.ts'
import type { QueuedEmail } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { invite } from './invite.ts'
import { findAccount } from './sign-in.ts'
import { type Attempt, auditSignIn } from './sign-in-audit.ts'

const lettersPerHourMax = 3

/** Sends the mail if there is such an account with an address. Runs as the system. */
export async function mailNewPassword(
  db: Database,
  vault: Vault,
  asked: Attempt,
  locale: QueuedEmail['locale'],
): Promise<void> {
  const account = await findAccount(db, asked.tier, asked.account)
  const mayHave = account && account.email !== '' && account.status === accountStatuses.normal
  if (!mayHave) return auditSignIn(db, asked, account, 'auth.password.forgot', { sent: false })
  await lockAccount(db, account.id)
  const { sent } = await db
    .selectFrom('mailOutbox')
    .select((on) => on.fn.countAll<number>().as('sent'))
    .where('recipient', '=', account.email)
    .where('template', '=', 'password')
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  const isSent = sent < lettersPerHourMax
  if (isSent) await invite(db, vault, { ...account, tier: asked.tier, hasPassword: true }, locale)
  await auditSignIn(db, asked, account, 'auth.password.forgot', { sent: isSent })
}
