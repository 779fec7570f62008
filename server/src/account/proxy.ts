/**
 * Acting for another: a short session that carries both people. Only downward, only for whom one could change anyway;
 * it cannot be handed on, and what belongs to the person alone (passwords, tokens, second steps) stays out of it.
 */
import { proxySeconds, sessionCalls } from '@breakwater/contract/auth/sessions.ts'
import { startSession } from '../auth/sessions.ts'
import { asSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { requireBelow } from './reach.ts'

const { proxy } = sessionCalls

export function proxyFeature(): Feature {
  return implementOpen(
    { proxy },
    {
      proxy: ({ transact, caller, body, address, audit, request, requestId }) =>
        transact(async (db) => {
          const target = await requireBelow(db, caller, body.id, body.auth)
          // The vendor looks after operators; their customers are theirs to act for.
          if (caller.tier === 'admin' && target.tier === 'user') throw new Fault('permissionDenied')
          if (target.status !== 1) throw new Fault('accountNotEnabled')
          const detail = { reason: body.reason }
          audit.subjectTenantId = target.tenantId
          audit.detail = { id: target.id, account: target.account, ...detail }
          return asSystem(db, async (tx) => {
            await tx
              .insertInto('audit')
              .values({
                tenantId: target.tenantId,
                accountId: target.id,
                accountName: target.account,
                tier: target.tier,
                action: 'auth.proxied',
                method: request.method,
                url: request.url.split('?')[0]!,
                requestId,
                address,
                proxyName: caller.accountName,
                proxyAccountId: caller.accountId,
                detail: JSON.stringify(detail),
              })
              .execute()
            return startSession(
              tx,
              target.id,
              { address, userAgent: request.headers['user-agent'] ?? '' },
              { accountId: caller.accountId, reason: body.reason, seconds: proxySeconds },
            )
          })
        }),
    },
  )
}
