/** The calls behind an invitation's link, and the call that requests a link for a forgotten password. */
import { accountStatuses } from '@breakwater/contract/account/accounts.ts'
import { invitation } from '@breakwater/contract/auth/invitation.ts'
import { withSystem } from '../db/database.ts'
import { type Feature, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { mailNewPassword } from './forgot-password.ts'
import { emailLocale } from './mail-code.ts'
import { accountOfMailToken, consumeMailToken } from './mail-tokens.ts'
import { hashPassword } from './passwords.ts'
import { endAllSessions } from './sessions.ts'

export function invitationFeature(services: Services): Feature {
  const { db } = services.database
  return implementPublic(invitation, {
    async forgotPassword({ tier, body, request, address, requestId }) {
      const asked = { tier, account: body.account, address, requestId, method: request.method, url: request.url }
      const locale = emailLocale(request.headers['accept-language'])
      // Replies before the work is done, so that the response time does not reveal whether the account exists.
      void withSystem(db, (tx) => mailNewPassword(tx, services.vault, asked, locale)).catch((error: unknown) =>
        services.logger.error({ err: error }, 'password letter failed'),
      )
    },

    async checkToken({ body }) {
      const { tier, email, id, name } = await withSystem(db, (tx) => accountOfMailToken(tx, body.token))
      return { valid: true, auth: tier, email, id, name, token: body.token }
    },

    async registerPassword({ body, address, request, requestId }) {
      // Checked first, so that guessed tokens do not cost a slow hash.
      await withSystem(db, (tx) => accountOfMailToken(tx, body.token))
      const passwordHash = await hashPassword(body.password)
      await withSystem(db, async (tx) => {
        const account = await accountOfMailToken(tx, body.token)
        await consumeMailToken(tx, body.token)
        // An invitation activates the account. An account that had a password keeps its status, even if paused or
        // locked.
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
