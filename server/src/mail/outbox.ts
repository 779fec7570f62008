/**
 * The outbox of letters: written in the transaction that causes them and sent by a job, so that neither happens without
 * the other.
 */
import type { mailLocales } from '@breakwater/contract/account/accounts.ts'
import { asSystem, type Database } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'

export type QueuedEmail = {
  tenantId: number
  recipient: string
  template: 'invitation' | 'password' | 'signInCode'
  locale: (typeof mailLocales)[number]
  values: Record<string, string>
  /** Only the recipient may see this: it is sealed at rest. */
  secret: string
}

/** The context that the secret of a letter is sealed with. */
export const emailContext = (letter: { recipient: string; template: string }) =>
  `mail/${letter.template}/${letter.recipient}`

/** Puts a letter into the outbox. */
export async function enqueueEmail(db: Database, vault: Vault, letter: QueuedEmail): Promise<void> {
  const { values, secret, ...row } = letter
  const sealed = vault.seal(Buffer.from(secret), emailContext(letter))
  await asSystem(db, (tx) =>
    tx
      .insertInto('mailOutbox')
      .values({ ...row, values: JSON.stringify(values), secret: sealed })
      .execute(),
  )
}

/** The secret of a letter that is about to be sent. */
export const openEmail = (vault: Vault, row: { recipient: string; template: string; secret: Buffer }): string =>
  vault.open(row.secret, emailContext(row)).toString()
