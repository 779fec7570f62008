/**
 * Authenticator apps (RFC 6238): six digits, thirty-second steps, one step of tolerance either way. The secret is
 * sealed at rest.
 */
import { Secret, TOTP } from 'otpauth'
import type { Database } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'

const stepSeconds = 30
const secretBytes = 20

const totpOf = (secret: Uint8Array, issuer = '', label = ''): TOTP =>
  new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: stepSeconds,
    secret: new Secret({ buffer: copyOf(secret) }),
  })

const copyOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer

export const newTotpSecret = (): Uint8Array => new Secret({ size: secretBytes }).bytes

/** What an app scans: the otpauth URL, and the same as a QR code (an SVG in a data URL). */
export async function totpPicture(secret: Uint8Array, issuer: string, account: string) {
  const qrCodeData = totpOf(secret, issuer, account).toString()
  // Loaded on first use, so that the API starts faster.
  const { toString: drawQr } = await import('qrcode')
  const svg = await drawQr(qrCodeData, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' })
  return { qrCodeData, qrCode: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` }
}

/** The time step of a valid code; undefined if the code is invalid. `now` is in ms. */
export function totpStep(secret: Uint8Array, code: string, now = Date.now()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const delta = totpOf(secret).validate({ token: code, window: 1, timestamp: now })
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta
}

/** The context for which an account's TOTP secret is sealed. */
export const totpContext = (accountId: number) => `totp/${accountId}`

/**
 * Stores the secret of an account's app. `lastStep` is the step of the code that proved it, which is thereby used up.
 */
export async function saveTotp(db: Database, vault: Vault, accountId: number, secret: Uint8Array, lastStep: number) {
  const row = { accountId, sealed: vault.seal(secret, totpContext(accountId)), lastStep }
  await db
    .insertInto('totpSecrets')
    .values(row)
    .onConflict((on) => on.column('accountId').doUpdateSet({ sealed: row.sealed, lastStep }))
    .execute()
}

/** Checks a code of an account's app and uses up its step: of two concurrent uses of one code, one succeeds. */
export async function useTotp(db: Database, vault: Vault, accountId: number, code: string): Promise<boolean> {
  const row = await db.selectFrom('totpSecrets').select('sealed').where('accountId', '=', accountId).executeTakeFirst()
  const step = row && totpStep(vault.open(row.sealed, totpContext(accountId)), code)
  if (step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('totpSecrets')
    .set({ lastStep: step })
    .where('accountId', '=', accountId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
