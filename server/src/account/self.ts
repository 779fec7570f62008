/** The signed-in account. */
import { account } from '@breakwater/contract/account/self.ts'
import { creditsOf } from '../address-data/credits.ts'
import { methodsOf } from '../auth/methods.ts'
import { asSystem, type Database } from '../db/database.ts'
import { dnsTypeOf } from '../dns/dns-settings.ts'
import { fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'
import { namingDuplicates } from './accounts.store.ts'

/** Until when somebody may act in a session on behalf of another, and why. */
function termsOf(db: Database, { sessionId }: Caller) {
  return asSystem(db, async (tx) => {
    const row = await tx
      .selectFrom('sessions')
      .select(['expiresAt', 'reason'])
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    return { until: (row.expiresAt ?? new Date()).toISOString(), reason: row.reason }
  })
}

export function accountFeature(): Feature {
  return implement(account, {
    async updateSelf({ db, caller, body, audit }) {
      const { login2FAType, ...changes } = body
      const { offered } = await asSystem(db, (tx) => methodsOf(tx, caller.accountId))
      if (login2FAType !== undefined && login2FAType !== offered[0]) throw fieldFault('login2FAType', 'useSetup')
      if (Object.values(changes).every((value) => value === undefined)) return
      const before = await db
        .selectFrom('accounts')
        .select(['name', 'email'])
        .where('id', '=', caller.accountId)
        .executeTakeFirstOrThrow()
      await namingDuplicates(() => db.updateTable('accounts').set(changes).where('id', '=', caller.accountId).execute())
      audit.detail = { before, after: changes }
    },

    async self({ db, caller, address }) {
      const row = await db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', caller.accountId)
        .executeTakeFirstOrThrow()
      const by = caller.proxiedBy
      const [{ offered }, addressCredits] = await asSystem(db, async (tx) => [
        await methodsOf(tx, caller.accountId),
        await creditsOf(tx, caller.tenantId),
      ])
      return {
        id: row.id,
        name: row.name,
        email: row.email,
        account: row.account,
        auth: row.tier,
        isRoot: row.isRoot,
        dnsType: row.tier === 'client' ? await dnsTypeOf(db, row.tenantId) : '',
        maxLogExportTimes: row.maxLogExportTimes,
        login2FAType: offered[0] ?? 0,
        permissions: [...caller.permissions],
        mustChangePassword: caller.mustChangePassword,
        address,
        ...(by
          ? {
              proxiedBy: { id: by.accountId, account: by.accountName, auth: by.tier, ...(await termsOf(db, caller)) },
            }
          : {}),
        addressCredits,
        features: { l4Attack: false },
      }
    },
  })
}
