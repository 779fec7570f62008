/** Verifies a second factor with whatever the account has: an app, a mailed code, a recovery code, a passkey. */
import type { PasskeyAnswer } from '@breakwater/contract/auth/codes.ts'
import { login2FATypes } from '@breakwater/contract/auth/sign-in.ts'
import type { Database } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import type { HeldPass } from './one-pass-keys.ts'
import { usePasskey } from './passkeys.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { useTotp } from './totp.ts'

const { email, automatic, totp, passkey } = login2FATypes

export type Proof = { code: string; passkey?: PasskeyAnswer | undefined }

/** Returns the factor that matched, for the audit log; undefined if none did. Runs as the system. */
export async function verifySecondFactor(
  db: Database,
  { vault, env }: Services,
  accountId: number,
  offered: readonly number[],
  pass: HeldPass,
  proof: Proof,
): Promise<string | undefined> {
  if (proof.passkey) {
    if (!offered.includes(passkey) || !pass.sealed) return undefined
    return (await usePasskey(db, env, accountId, pass.sealed.toString(), proof.passkey)) ? 'passkey' : undefined
  }
  if ((offered.includes(email) || offered.includes(automatic)) && pass.fits(proof.code)) return 'code'
  if (offered.includes(totp) && (await useTotp(db, vault, accountId, proof.code))) return 'totp'
  const hasDevice = offered.includes(totp) || offered.includes(passkey)
  return hasDevice && (await useRecoveryCode(db, accountId, proof.code)) ? 'recoveryCode' : undefined
}
