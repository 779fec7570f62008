/** Signing in and out, refreshing, and changing one's password. */
import { login2FATypes, signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen, implementPublic } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { countFailure, forgetFailures, isLocked } from './lock.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { requirePassword } from './session-calls.ts'
import { endOtherSessions, endSession, issuePair, refreshPair, startSession } from './sessions.ts'
import { hashToken } from './tokens.ts'

const findAccount = (db: Database, tier: Tier, typed: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'passwordHash', 'status', 'mustChangePassword', 'tenantId', 'account'])
    .where('tier', '=', tier)
    .where((on) =>
      on.or([
        on(sql`lower(account)`, '=', typed.toLowerCase()),
        on.and([on('email', '<>', ''), on(sql`lower(email)`, '=', typed.toLowerCase())]),
      ]),
    )
    .executeTakeFirst()

type Attempt = { tier: Tier; account: string; password: string; address: string; url: string; requestId: string }

/** Checks a name and password. Unknown, wrong and locked answer alike, in the same time; 101008 only after a right password. */
async function checkCredentials(db: Database, attempt: Attempt) {
  const { tier, account: typed, password, address } = attempt
  const { account, locked } = await withSystem(db, async (tx) => ({
    account: await findAccount(tx, tier, typed),
    locked: await isLocked(tx, tier, typed, address),
  }))
  const fits = await verifyPassword(account?.passwordHash ?? undefined, password)
  if (!account || !fits || locked) {
    await withSystem(db, async (tx) => {
      await countFailure(tx, tier, typed, address)
      if (account) await auditSignIn(tx, attempt, account, 'auth.signIn.failed')
    })
    throw new Fault('credentialRefused')
  }
  if (account.status !== 1) throw new Fault('accountNotEnabled')
  return account
}

function auditSignIn(
  db: Database,
  attempt: Attempt,
  account: { id: number; tenantId: number; account: string },
  action: string,
) {
  const { tier, address, url, requestId } = attempt
  const row = {
    tenantId: account.tenantId,
    accountId: account.id,
    accountName: account.account,
    tier,
    action,
    method: 'POST',
    url,
    requestId,
    address,
    status: action === 'auth.signIn.failed' ? 401 : 200,
  }
  return db.insertInto('audit').values(row).execute()
}

const { changePassword, ...door } = signIn

export function signInFeature(services: Services): Feature {
  return [...doorFeature(services), ...passwordFeature(services)]
}

function doorFeature({ database: { db } }: Services): Feature {
  return implementPublic(door, {
    async code({ tier, body, address, request, requestId }) {
      const attempt = { tier, ...body, address, url: request.url, requestId }
      const account = await checkCredentials(db, attempt)
      const pair = await withSystem(db, async (tx) => {
        await forgetFailures(tx, tier, body.account)
        await auditSignIn(tx, attempt, account, 'auth.signIn')
        return startSession(tx, account.id, { address, userAgent: request.headers['user-agent'] ?? '' })
      })
      return { ...pair, login2FAType: login2FATypes.none, mustChangePassword: account.mustChangePassword }
    },

    // No second step is offered yet, so no one-pass key exists that could be right.
    async login({ tier, body, address }) {
      await withSystem(db, (tx) => countFailure(tx, tier, body.account, address))
      throw new Fault('credentialRefused')
    },

    async refresh({ tier, body }) {
      const result = await withSystem(db, (tx) => refreshPair(tx, tier, body))
      if (result === 'reused') throw new Fault('refreshTokenFailed')
      return result
    },

    async logout({ tier, body }) {
      await withSystem(db, async (tx) => {
        const row = await tx
          .selectFrom('sessionTokens')
          .innerJoin('sessions', 'sessions.id', 'sessionTokens.sessionId')
          .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
          .select(['sessionId', 'refreshHash', 'endedAt'])
          .where('accessHash', '=', hashToken(body.accessToken))
          .where('accounts.tier', '=', tier)
          .executeTakeFirst()
        if (!row || row.endedAt || !row.refreshHash.equals(hashToken(body.refreshToken)))
          throw new Fault('revokeTokenFailed')
        await endSession(tx, row.sessionId)
      })
    },
  })
}

function passwordFeature({ database: { db } }: Services): Feature {
  return implementOpen(
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
  )
}
