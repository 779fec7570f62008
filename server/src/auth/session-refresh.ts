/** Refreshing a session, signing out, and changing one's own password. */
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import { withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { hashPassword } from './passwords.ts'
import { requirePassword } from './session-calls.ts'
import { endOtherSessions, endSession, issuePair, refreshPair } from './sessions.ts'
import { auditSignIn } from './sign-in-audit.ts'
import { hashToken } from './tokens.ts'

const { changePassword, refresh, logout } = signIn

export function sessionRefreshFeature({ database: { db } }: Services): Feature {
  return [
    ...implementPublic(
      { refresh, logout },
      {
        async refresh({ tier, body, address }) {
          const result = await withSystem(db, (tx) => refreshPair(tx, tier, body, address))
          if (result === 'reused') throw new Fault('refreshTokenFailed')
          return result
        },

        async logout({ tier, body, address, request }) {
          await withSystem(db, async (tx) => {
            const row = await tx
              .selectFrom('sessionTokens')
              .innerJoin('sessions', 'sessions.id', 'sessionTokens.sessionId')
              .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
              .select(['sessionId', 'refreshHash', 'endedAt', 'accounts.id', 'accounts.tenantId', 'accounts.account'])
              .where('accessHash', '=', hashToken(body.accessToken))
              .where('accounts.tier', '=', tier)
              .executeTakeFirst()
            if (!row || row.endedAt || !row.refreshHash.equals(hashToken(body.refreshToken)))
              throw new Fault('revokeTokenFailed')
            await endSession(tx, row.sessionId)
            const { method, url, id: requestId } = request
            await auditSignIn(tx, { tier, account: row.account, address, method, url, requestId }, row, 'auth.signOut')
          })
        },
      },
    ),
    ...implementOpen(
      { changePassword },
      {
        async changePassword({ body, address, caller }) {
          await requirePassword(db, caller, address, body.oldPassword, 'oldPassword')
          const next = await hashPassword(body.password)
          return withSystem(db, async (tx) => {
            await tx
              .updateTable('accounts')
              .set({ passwordHash: next, mustChangePassword: false })
              .where('id', '=', caller.accountId)
              .execute()
            await endOtherSessions(tx, caller.accountId, caller.sessionId)
            await tx
              .updateTable('sessionTokens')
              .set({ replacedAt: new Date(0) })
              .where('sessionId', '=', caller.sessionId)
              .execute()
            return issuePair(tx, caller.sessionId)
          })
        },
      },
    ),
  ]
}
