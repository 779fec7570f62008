/** A forgotten password: a letter with a link, to the address that the account has, three times an hour at the most. */
import { accountStatuses } from '@breakwater/contract/account/accounts.ts'
import { sql } from 'kysely'
import { invite } from '../account/invite.ts'
import type { Database } from '../db/database.ts'
import type { Letter } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { findAccount } from './sign-in.ts'
import { type Attempt, auditDoor } from './sign-in-audit.ts'

const lettersPerHourMax = 3

/** Sends the letter where there is somebody to send it to. Runs as the system. */
export async function mailNewPassword(
  db: Database,
  vault: Vault,
  asked: Attempt,
  locale: Letter['locale'],
): Promise<void> {
  const account = await findAccount(db, asked.tier, asked.account)
  const mayHave = account && account.email !== '' && account.status === accountStatuses.normal
  if (!mayHave) return auditDoor(db, asked, account, 'auth.password.forgot', { sent: false })
  const { sent } = await db
    .selectFrom('mailOutbox')
    .select((on) => on.fn.countAll<number>().as('sent'))
    .where('recipient', '=', account.email)
    .where('template', '=', 'password')
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  const isSent = sent < lettersPerHourMax
  if (isSent) await invite(db, vault, { ...account, tier: asked.tier, hasPassword: true }, locale)
  await auditDoor(db, asked, account, 'auth.password.forgot', { sent: isSent })
}
