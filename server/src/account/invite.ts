/** Invites an account: a token, and a letter that carries it. Both in the caller's transaction. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { issueMailToken } from '../auth/mail-tokens.ts'
import type { Database } from '../db/database.ts'
import { enqueueLetter, type Letter } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'

type Invited = {
  id: number
  tenantId: number
  tier: Tier
  account: string
  name: string
  email: string
  /** Whether a password exists already: then the letter is about a forgotten one. */
  hasPassword: boolean
}

export async function invite(
  db: Database,
  vault: Vault,
  who: Invited,
  locale: Letter['locale'] | undefined,
): Promise<void> {
  await enqueueLetter(db, vault, {
    tenantId: who.tenantId,
    recipient: who.email,
    template: who.hasPassword ? 'password' : 'invitation',
    locale: locale ?? 'zh_TW',
    // The link is this path with the secret as its `token`.
    values: { name: who.name, account: who.account, path: `/${who.tier}/verifyMail` },
    secret: await issueMailToken(db, who.id),
  })
}
