/** What an operator requires at sign-in. */
import { login2FATypes } from '@breakwater/contract/auth/sign-in.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { isAllowedFrom } from '../auth/cidrs.ts'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'
import { isMailReady } from '../mail/readiness.ts'

const { none, email, automatic } = login2FATypes

const policyOf = (db: Database, { tenantId }: Caller) =>
  db.selectFrom('signInPolicies').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()

/** The answer's form of how accounts without their own second factor sign in. */
async function verificationOf(db: Database, caller: Caller) {
  const policy = await policyOf(db, caller)
  const enable = policy?.verifyEnabled ?? false
  return { enable, login2FAType: enable ? email : policy?.verifyOffType === automatic ? automatic : none } as const
}

const cidrsOf = async (db: Database, caller: Caller): Promise<string[]> => (await policyOf(db, caller))?.cidrs ?? []

const save = (
  db: Database,
  { tenantId }: Caller,
  change: { verifyEnabled?: boolean; verifyOffType?: number; cidrs?: string[] },
) =>
  db
    .insertInto('signInPolicies')
    .values({ tenantId, ...change })
    .onConflict((on) => on.column('tenantId').doUpdateSet(change))
    .execute()

export function signInPolicyFeature(): Feature {
  return implement(signInPolicy, {
    async getVerify({ db, caller }) {
      return {
        ...(await verificationOf(db, caller)),
        mailReady: await asSystem(db, (tx) => isMailReady(tx, caller.tenantId, caller.tier)),
      }
    },

    async setVerify({ db, caller, body, audit }) {
      const { enable, login2FAType: type = enable ? email : none } = body
      if (enable !== (type === email)) throw fieldFault('login2FAType', 'wrongFormat')
      // Until mail is known to arrive, nobody could sign in with a mailed code.
      if (enable && !(await asSystem(db, (tx) => isMailReady(tx, caller.tenantId, caller.tier))))
        throw fieldFault('enable', 'mailNotReady')
      await lockTenant(db, caller.tenantId)
      const before = await verificationOf(db, caller)
      requireUnchanged(body.basedOn, before)
      await save(db, caller, { verifyEnabled: enable, ...(enable ? {} : { verifyOffType: type }) })
      audit.detail = { before: { enable: before.enable }, after: { enable, login2FAType: type } }
    },

    async getCidrs({ db, caller, address }) {
      return { cidrs: await cidrsOf(db, caller), address }
    },

    async setCidrs({ db, caller, body, address, audit }) {
      const cidrs = [...new Set(body.cidrs)]
      if (!body.confirm && !isAllowedFrom(address, cidrs)) throw fieldFault('cidrs', 'locksYouOut')
      await lockTenant(db, caller.tenantId)
      const before = { cidrs: await cidrsOf(db, caller) }
      requireUnchanged(body.basedOn, before)
      await save(db, caller, { cidrs })
      audit.detail = { before, after: { cidrs } }
    },
  })
}
