/**
 * Acting on behalf of another account: a short session that records both people. Only downward, only for accounts that
 * the caller could also change. The session cannot be passed on and has no access to what belongs to the person alone
 * (passwords, tokens, second steps).
 */
import { proxySeconds, sessionCalls, switchCodeSeconds } from '@breakwater/contract/auth/sessions.ts'
import { issueOnePass, takeOnePass } from '../auth/one-pass-keys.ts'
import { startSession } from '../auth/sessions.ts'
import { asSystem, withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireBelow } from './known-accounts.ts'

const { proxy, switchUser } = sessionCalls

/** Who is acting, and why. */
type Deputy = { accountId: number; reason: string }

export function proxyFeature(services: Services): Feature {
  return [...allowFeature(), ...switchUserFeature(services)]
}

function allowFeature(): Feature {
  return implementOpen(
    { proxy },
    {
      proxy: ({ transact, caller, body, address, audit, request, requestId }) =>
        transact(async (db) => {
          const target = await requireBelow(db, caller, body.id, body.auth)
          // The vendor looks after operators; only operators act on behalf of their customers.
          if (caller.tier === 'admin' && target.tier === 'user') throw new Fault('permissionDenied')
          if (target.status !== 1) throw new Fault('accountNotEnabled')
          const detail = { reason: body.reason }
          audit.subjectTenantId = target.tenantId
          audit.detail = { id: target.id, account: target.account, ...detail }
          return asSystem(db, async (tx) => {
            const deputy = { accountId: caller.accountId, reason: body.reason } satisfies Deputy
            const code = await issueOnePass(tx, {
              accountId: target.id,
              purpose: 'switchUser',
              type: 0,
              sealed: Buffer.from(JSON.stringify(deputy)),
              seconds: switchCodeSeconds,
            })
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
            return { code, auth: target.tier, account: target.account }
          })
        }),
    },
  )
}

/**
 * Exchanges the code for a session. The session adds no rights: the acting person's are checked again at every call.
 */
function switchUserFeature({ database: { db } }: Services): Feature {
  return implementPublic(
    { switchUser },
    {
      switchUser: ({ tier, body, address, request }) =>
        withSystem(db, async (tx) => {
          const pass = await takeOnePass(tx, body.code, 'switchUser')
          if (!pass?.sealed) throw new Fault('credentialRefused')
          const deputy = JSON.parse(pass.sealed.toString()) as Deputy
          const target = await tx
            .selectFrom('accounts')
            .select(['tier', 'status'])
            .where('id', '=', pass.accountId)
            .executeTakeFirst()
          if (target?.tier !== tier || target.status !== 1) throw new Fault('credentialRefused')
          const client = { address, userAgent: request.headers['user-agent'] ?? '' }
          return startSession(tx, pass.accountId, client, { ...deputy, seconds: proxySeconds })
        }),
    },
  )
}
