/** Recovery codes for people who lost their device: eighty random bits each, stored hashed, valid once. */
import { randomBytes } from 'node:crypto'
import { recoveryCodeCount } from '@breakwater/contract/auth/second-step.ts'
import type { Database } from '../db/database.ts'
import { countOf } from '../db/paging.ts'
import { hashToken } from './tokens.ts'

/** Thirty-two letters and digits, without lookalikes. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const codeLetters = 16

const plain = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '')
const newCode = (): string =>
  [...randomBytes(codeLetters)]
    .map((byte) => letters[byte % letters.length])
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

/** Creates a new set and invalidates the old one. Returns the codes, which are shown once. */
export async function renewRecoveryCodes(db: Database, accountId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await db.deleteFrom('recoveryCodes').where('accountId', '=', accountId).execute()
  await db
    .insertInto('recoveryCodes')
    .values(codes.map((code) => ({ accountId, codeHash: hashToken(plain(code)) })))
    .execute()
  return codes
}

export async function recoveryCodesLeft(db: Database, accountId: number): Promise<number> {
  const left = await countOf(
    db.selectFrom('recoveryCodes').where('accountId', '=', accountId).where('usedAt', 'is', null),
  )
  return left
}

/** Uses up a code. Returns whether it was valid. */
export async function useRecoveryCode(db: Database, accountId: number, code: string): Promise<boolean> {
  if (plain(code).length !== codeLetters) return false
  const { numUpdatedRows } = await db
    .updateTable('recoveryCodes')
    .set({ usedAt: new Date() })
    .where('accountId', '=', accountId)
    .where('codeHash', '=', hashToken(plain(code)))
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
