/** The two calls behind an invitation's link. */
import { accountStatuses } from '@breakwater/contract/account/accounts.ts'
import { invitation } from '@breakwater/contract/auth/invitation.ts'
import { withSystem } from '../db/database.ts'
import { type Feature, implementPublic } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { accountOfMailToken, consumeMailToken } from './mail-tokens.ts'
import { hashPassword } from './passwords.ts'
import { endAllSessions } from './sessions.ts'

export function invitationFeature({ database: { db } }: Services): Feature {
  return implementPublic(invitation, {
    async checkToken({ body }) {
      const { tier, email, id, name } = await withSystem(db, (tx) => accountOfMailToken(tx, body.token))
      return { valid: true, auth: tier, email, id, name, token: body.token }
    },

    async registerPassword({ body, address, request, requestId }) {
      // Asked first, so that guesses cost no slow hash.
      await withSystem(db, (tx) => accountOfMailToken(tx, body.token))
      const passwordHash = await hashPassword(body.password)
      await withSystem(db, async (tx) => {
        const account = await accountOfMailToken(tx, body.token)
        await consumeMailToken(tx, body.token)
        // Whoever was paused or locked meanwhile stays so; an invitation alone opens the door.
        const status = account.passwordHash === null ? accountStatuses.normal : account.status
        await tx
          .updateTable('accounts')
          .set({ passwordHash, status, mustChangePassword: false })
          .where('id', '=', account.id)
          .execute()
        await endAllSessions(tx, account.id)
        await tx
          .insertInto('audit')
          .values({
            tenantId: account.tenantId,
            accountId: account.id,
            accountName: account.account,
            tier: account.tier,
            action: 'auth.register.password',
            method: request.method,
            url: '/api/v1/register/password',
            requestId,
            address,
          })
          .execute()
      })
    },
  })
}
