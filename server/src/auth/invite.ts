/** Invites an account: creates a token and the mail that carries it, both in the caller's transaction. */
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
  /** Whether the account already has a password: then the mail is about a forgotten password. */
  hasPassword: boolean
}

const pathFor = (tier: Tier) => `/${tier}/verifyMail`

/** Queues the mail and returns its token. Without a mail server the mail waits in the outbox. */
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
    // The link is this path with the token in its `token` parameter.
    values: { name: who.name, account: who.account, path: pathFor(who.tier) },
    secret,
  })
  return secret
}

/** Invites on behalf of a caller and returns whether the mail can be sent. If not, a person gets the link instead. */
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
