/** One's sessions, and proving oneself again. */
import { sessionCalls } from '@breakwater/contract/auth/sessions.ts'
import { type Database, withSystem } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { countFailure, isLocked } from './lock.ts'
import { verifyPassword } from './passwords.ts'
import { endOtherSessions } from './sessions.ts'

const { proxy: _proxy, switchUser: _switchUser, ...calls } = sessionCalls

/** Checks the caller's own password. Wrong ones count toward the lock, so a stolen session is no place to guess. */
export async function requirePassword(
  db: Database,
  caller: Caller,
  address: string,
  password: string,
  field = 'password',
): Promise<void> {
  const { tier, accountName, accountId } = caller
  const { row, locked } = await withSystem(db, async (tx) => ({
    row: await tx.selectFrom('accounts').select('passwordHash').where('id', '=', accountId).executeTakeFirst(),
    locked: await isLocked(tx, tier, accountName, address),
  }))
  const fits = await verifyPassword(row?.passwordHash ?? undefined, password)
  if (fits && !locked) return
  await withSystem(db, (tx) => countFailure(tx, tier, accountName, address))
  throw fieldFault(field, 'wrongPassword', 'credentialRefused')
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

export function sessionsFeature({ database: { db } }: Services): Feature {
  return implementOpen(calls, {
    list: ({ caller, query }) =>
      withSystem(db, async (tx) => {
        const rows = await living(tx, caller)
          .leftJoin('accounts as actors', 'actors.id', 'sessions.actorAccountId')
          .select(['sessions.id', 'sessions.address', 'sessions.userAgent', 'actors.account as proxiedBy'])
          .select(['sessions.createdAt', 'sessions.lastSeenAt'])
          .orderBy('sessions.lastSeenAt', 'desc')
          .orderBy('sessions.id', 'desc')
          .limit(query.pageSize)
          .offset((query.page - 1) * query.pageSize)
          .execute()
        const { total } = await living(tx, caller)
          .select((on) => on.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
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
      await withSystem(db, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('sessions')
          .set({ endedAt: new Date() })
          .where('accountId', '=', caller.accountId)
          .where('endedAt', 'is', null)
          .where('id', 'in', ids)
          .executeTakeFirst()
        // One that is another's, or over, takes the whole call back.
        if (Number(numUpdatedRows) !== ids.length) throw new Fault('permissionDenied')
      })
      audit.detail = { ids }
    },

    async endOthers({ caller, audit }) {
      const ended = await withSystem(db, (tx) => endOtherSessions(tx, caller.accountId, caller.sessionId))
      audit.detail = { ended }
      return { ended }
    },

    async verify({ caller, body, address }) {
      await requirePassword(db, caller, address, body.password)
      return { valid: true }
    },
  })
}
