/**
 * One-pass keys link one step of a flow to the next. They are valid for five minutes (ten with a mailed code), are used
 * up by success, and die after five wrong codes.
 */
import { randomInt } from 'node:crypto'
import { codeTriesMax, mailCodeSeconds, onePassKeySeconds } from '@breakwater/contract/auth/second-step.ts'
import type { Database } from '../db/database.ts'
import { hashToken, newToken } from './tokens.ts'

export type Purpose = 'signIn' | 'setUp' | 'setUpSave' | 'passkey' | 'switchUser'

export type OnePass = {
  accountId: number
  purpose: Purpose
  type: number
  code?: string
  sealed?: Uint8Array
  /** Lifetime in seconds, if not the default. */
  seconds?: number
}

/** A six-digit code for a mail. */
export const newMailCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0')

// Hashed together with the key, which is random and not stored: a six-digit code alone could be guessed from its hash.
const codeHashOf = (key: string, code: string): Buffer => hashToken(`${key}/${code}`)

export async function issueOnePass(db: Database, pass: OnePass): Promise<string> {
  const key = newToken()
  const { code, sealed, seconds = code === undefined ? onePassKeySeconds : mailCodeSeconds, ...row } = pass
  await db
    .insertInto('onePassKeys')
    .values({
      ...row,
      keyHash: hashToken(key),
      codeHash: code === undefined ? null : codeHashOf(key, code),
      sealed: sealed ? Buffer.from(sealed) : null,
      expiresAt: new Date(Date.now() + seconds * 1000),
    })
    .execute()
  return key
}

export type HeldPass = {
  type: number
  sealed: Buffer | null
  /** Whether the code is the mailed one. */
  fits: (code: string) => boolean
  /** Uses up the key. */
  use: () => Promise<void>
}

/**
 * Locks a key until the transaction ends and counts one try. Undefined if it is unknown, another's, expired or used up.
 */
export async function holdOnePass(
  db: Database,
  key: string,
  accountId: number,
  purpose: Purpose,
): Promise<HeldPass | undefined> {
  const keyHash = hashToken(key)
  const row = await db
    .updateTable('onePassKeys')
    .set((on) => ({ tries: on('tries', '+', 1) }))
    .where('keyHash', '=', keyHash)
    .where('accountId', '=', accountId)
    .where('purpose', '=', purpose)
    .where('tries', '<', codeTriesMax)
    .where('expiresAt', '>', new Date())
    .returning(['type', 'sealed', 'codeHash'])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    type: row.type,
    sealed: row.sealed,
    fits: (code) => row.codeHash?.equals(codeHashOf(key, code)) ?? false,
    use: async () => {
      await db.deleteFrom('onePassKeys').where('keyHash', '=', keyHash).execute()
    },
  }
}

/** Uses up a key that is all its holder has to present. Returns its account and what was stored with it. */
export async function takeOnePass(
  db: Database,
  key: string,
  purpose: Purpose,
): Promise<{ accountId: number; sealed: Buffer | null } | undefined> {
  return db
    .deleteFrom('onePassKeys')
    .where('keyHash', '=', hashToken(key))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', new Date())
    .returning(['accountId', 'sealed'])
    .executeTakeFirst()
}
