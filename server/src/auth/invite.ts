/** Invites an account: a token, and the mail that carries it. Both in the caller's transaction. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { asSystem, type Database } from '../db/database.ts'
import type { Caller } from '../http/implement.ts'
import { enqueueEmail, type QueuedEmail } from '../mail/outbox.ts'
import { mailServerOf } from '../messages/delivery-settings.ts'
import type { Vault } from '../secrets/vault.ts'
import { issueMailToken } from './mail-tokens.ts'

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

const pathFor = (tier: Tier) => `/${tier}/verifyMail`

/** Queues the mail and returns its secret. It waits in the outbox where there is no mail server. */
export async function invite(
  db: Database,
  vault: Vault,
  who: Invited,
  locale: QueuedEmail['locale'] | undefined,
): Promise<string> {
  const secret = await issueMailToken(db, who.id)
  await enqueueEmail(db, vault, {
    tenantId: who.tenantId,
    recipient: who.email,
    template: who.hasPassword ? 'password' : 'invitation',
    locale: locale ?? 'zh_TW',
    // The link is this path with the secret as its `token`.
    values: { name: who.name, account: who.account, path: pathFor(who.tier) },
    secret,
  })
  return secret
}

/** Invites as a caller, and says whether the mail can be sent. Where it cannot, a person gets the link. */
export async function inviteAndReport(
  { db, caller }: { db: Database; caller: Caller },
  vault: Vault,
  who: Invited,
  locale: QueuedEmail['locale'] | undefined,
): Promise<{ isQueued: boolean; link: string | null }> {
  const secret = await invite(db, vault, who, locale)
  const isQueued = (await asSystem(db, (tx) => mailServerOf(tx, vault, who.tenantId))) !== undefined
  // The link opens the account, so callers who may not set a password (`account.password.set`) do not get it.
  const isPerson = !caller.apiToken && !caller.proxiedBy
  const link = `${pathFor(who.tier)}?token=${encodeURIComponent(secret)}`
  return { isQueued, link: isQueued || !isPerson ? null : link }
}
