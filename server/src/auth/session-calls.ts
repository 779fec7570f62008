/** The caller's own sessions, and confirming the caller's identity again. */

import { sessionCalls } from '@breakwater/contract/auth/sessions.ts'
import { type Database, withSystem } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { notifyLocked, oneAtATime, returnAttempt, takeAttempt } from './lock.ts'
import { verifyPassword } from './passwords.ts'
import { endOtherSessions } from './sessions.ts'
import { useTotp } from './totp.ts'

const { proxy: _proxy, switchUser: _switchUser, ...calls } = sessionCalls

/**
 * Checks the caller's own password. Wrong ones count toward the lock, so a stolen session cannot be used for guessing.
 */
export async function requirePassword(
  db: Database,
  caller: Caller,
  address: string,
  password: string,
  field = 'password',
): Promise<void> {
  const { tier, accountName: account, accountId } = caller
  const trier = { tier, account, address }
  await oneAtATime(trier, async () => {
    const { row, mayPass, isLast } = await withSystem(db, async (tx) => ({
      row: await tx.selectFrom('accounts').select('passwordHash').where('id', '=', accountId).executeTakeFirst(),
      ...(await takeAttempt(tx, trier)),
    }))
    const fits = await verifyPassword((mayPass && row?.passwordHash) || undefined, password)
    if (fits) return withSystem(db, (tx) => returnAttempt(tx, trier))
    if (isLast) await withSystem(db, (tx) => notifyLocked(tx, trier))
    throw fieldFault(field, 'wrongPassword', 'credentialRefused')
  })
}

/** Checks a code from the caller's own app. Wrong codes count toward the lock, as wrong passwords do. */
async function requireCode({ database: { db }, vault }: Services, caller: Caller, address: string, code: string) {
  const { tier, accountName: account, accountId } = caller
  const trier = { tier, account, address }
  await oneAtATime(trier, async () => {
    const { mayPass, isLast } = await withSystem(db, (tx) => takeAttempt(tx, trier))
    const fits = mayPass && (await withSystem(db, (tx) => useTotp(tx, vault, accountId, code)))
    if (fits) return withSystem(db, (tx) => returnAttempt(tx, trier))
    if (isLast) await withSystem(db, (tx) => notifyLocked(tx, trier))
    throw fieldFault('code', 'wrongCode', 'credentialRefused')
  })
}

const living = (db: Database, caller: Caller) =>
  db
    .selectFrom('sessions')
    .where('sessions.accountId', '=', caller.accountId)
    .where('sessions.endedAt', 'is', null)
    .where((on) => on.or([on('sessions.expiresAt', 'is', null), on('sessions.expiresAt', '>', new Date())]))
    .where((on) =>
      on.exists(
        on
          .selectFrom('sessionTokens')
          .whereRef('sessionTokens.sessionId', '=', 'sessions.id')
          .where('refreshExpiresAt', '>', new Date())
          .select('sessionId'),
      ),
    )

export function sessionsFeature(services: Services): Feature {
  const { db } = services.database
  return implementOpen(calls, {
    list: ({ caller, query }) =>
      withSystem(db, async (tx) => {
        const rows = await living(tx, caller)
          .leftJoin('accounts as actors', 'actors.id', 'sessions.actorAccountId')
          .select(['sessions.id', 'sessions.address', 'sessions.userAgent', 'actors.account as proxiedBy'])
          .select(['sessions.createdAt', 'sessions.lastSeenAt'])
          .orderBy('sessions.lastSeenAt', 'desc')
          .orderBy('sessions.id', 'desc')
          .$call(onePage(query))
          .execute()
        const total = await countOf(living(tx, caller))
        const data = rows.map((row) => ({
          ...row,
          current: row.id === caller.sessionId,
          createdAt: row.createdAt.toISOString(),
          lastSeenAt: row.lastSeenAt.toISOString(),
        }))
        return { data, total }
      }),

    async end({ caller, body, audit }) {
      const ids = [...new Set(body.ids)]
      // Sessions that are over or belong to somebody else are ignored: to this person they have already ended.
      const ended = await withSystem(db, (tx) =>
        tx
          .updateTable('sessions')
          .set({ endedAt: new Date() })
          .where('accountId', '=', caller.accountId)
          .where('endedAt', 'is', null)
          .where('id', 'in', ids)
          .returning('id')
          .execute(),
      )
      audit.detail = { ids: ended.map(({ id }) => id) }
    },

    async endOthers({ caller, audit }) {
      const ended = await withSystem(db, (tx) => endOtherSessions(tx, caller.accountId, caller.sessionId))
      audit.detail = { ended }
      return { ended }
    },

    async verify({ caller, body, address }) {
      if (body.code !== undefined) await requireCode(services, caller, address, body.code)
      else await requirePassword(db, caller, address, body.password ?? '')
      return { valid: true }
    },
  })
}
