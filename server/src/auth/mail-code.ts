/** Sends a code by mail through the outbox, where it is only visible to whoever reads the mail. */
import type { mailLocales } from '@breakwater/contract/account/accounts.ts'
import type { Database } from '../db/database.ts'
import { enqueueEmail } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import { newMailCode } from './one-pass-keys.ts'

type Locale = (typeof mailLocales)[number]

/** The language of a mail, from the browser's Accept-Language. */
export function emailLocale(acceptLanguage: string | undefined): Locale {
  const first = acceptLanguage?.split(',')[0]?.trim() ?? ''
  if (/^en\b/i.test(first)) return 'en_US'
  if (/^zh[-_](cn|sg|hans)/i.test(first)) return 'zh_CN'
  return 'zh_TW'
}

/** Mails a new code to an account and returns it. */
export async function mailCode(
  db: Database,
  vault: Vault,
  who: { tenantId: number; account: string; name: string; email: string },
  locale: Locale,
): Promise<string> {
  const secret = newMailCode()
  await enqueueEmail(db, vault, {
    tenantId: who.tenantId,
    recipient: who.email,
    template: 'signInCode',
    locale,
    values: { name: who.name || who.account, account: who.account },
    secret,
  })
  return secret
}

/** `c…r@example.com`: enough to recognize the mailbox, too little to learn the address. */
export const maskedAddress = (address: string): string =>
  address.replace(
    /^(.)(.*)(@.*)$/,
    (_, first: string, rest: string, domain: string) => `${first}${rest ? '…' : ''}${rest.slice(-1)}${domain}`,
  )
