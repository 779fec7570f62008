/** Which second step an account uses: its own, its operator's, or none. */
import { login2FATypes } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { isMailReady } from '../mail/readiness.ts'

export type Methods = {
  /** Every kind that the account may use; the first is the default. Never empty. */
  offered: readonly number[]
  chosen: number
  mailReady: boolean
  passkeys: number
}

const { none, email, automatic, totp, passkey } = login2FATypes

/** Reads which kinds an account may use. Runs as the system. */
export async function methodsOf(db: Database, accountId: number): Promise<Methods> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('tenants', 'tenants.id', 'accounts.tenantId')
    .leftJoin('signInPolicies as policy', 'policy.tenantId', sql`coalesce(tenants.operator_id, tenants.id)` as never)
    .select(['accounts.secondStep', 'accounts.email', 'accounts.tier', 'policy.verifyEnabled', 'policy.verifyOffType'])
    .select(sql<number>`coalesce(tenants.operator_id, tenants.id)`.as('operatorId'))
    .select((on) =>
      on
        .selectFrom('passkeys')
        .select((count) => count.fn.countAll<number>().as('n'))
        .whereRef('passkeys.accountId', '=', 'accounts.id')
        .as('passkeys'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const mailReady = row.email !== '' && (await isMailReady(db, row.operatorId, row.tier as Tier))
  const passkeys = row.passkeys ?? 0
  return { offered: offeredBy({ ...row, mailReady, passkeys }), chosen: row.secondStep, mailReady, passkeys }
}

function offeredBy(row: {
  secondStep: number
  passkeys: number
  mailReady: boolean
  verifyEnabled: boolean | null
  verifyOffType: number | null
}): number[] {
  const own = [...(row.secondStep === totp ? [totp] : []), ...(row.passkeys > 0 ? [passkey] : [])]
  if (own.length > 0) return own
  // Requiring a mail that cannot be sent would lock everybody out, above all the operator, who alone could fix that.
  if (row.mailReady && (row.secondStep === email || row.verifyEnabled)) return [email]
  return [!row.verifyEnabled && row.verifyOffType === automatic ? automatic : none]
}
