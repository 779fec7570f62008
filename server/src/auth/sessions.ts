/**
 * Sessions with rotating token pairs. A pair is exchanged once for the next pair. A second exchange from the same
 * address within ten seconds (two tabs refreshing together) returns the same next pair. One that comes later or from
 * another address means that the token was stolen, and ends the session.
 */
import { createHmac, randomBytes } from 'node:crypto'
import {
  accessTokenSeconds,
  refreshGraceSeconds,
  refreshTokenSeconds,
  type TokenSet,
} from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { type InferResult, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { foreignText } from '../db/foreign-text.ts'
import { Fault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'
import { notify } from '../messages/notify.ts'
import { accountColumns, actorColumns, callerOf, deputyOf } from './caller.ts'
import { isAllowedFrom } from './cidrs.ts'
import { hashToken, newToken } from './tokens.ts'

export type Client = { address: string; userAgent: string }

/** Who acts on behalf of the account in a session, why, and for how many seconds at most. */
export type Deputy = { accountId: number; reason: string; seconds: number }

/** Starts a session and returns its first token pair. */
export async function startSession(
  db: Database,
  accountId: number,
  client: Client,
  deputy?: Deputy,
): Promise<TokenSet> {
  if (!deputy) await tellOfNewAddress(db, accountId, client)
  const expiresAt = deputy ? new Date(Date.now() + deputy.seconds * 1000) : null
  const session = await db
    .insertInto('sessions')
    .values({
      accountId,
      address: client.address,
      userAgent: foreignText(client.userAgent, 256),
      actorAccountId: deputy?.accountId ?? null,
      reason: deputy?.reason ?? '',
      expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return issuePair(db, session.id)
}

/**
 * Notifies the account of a sign-in from an address that none of its earlier sessions used. The first session is
 * exempt.
 */
async function tellOfNewAddress(db: Database, accountId: number, { address }: Client): Promise<void> {
  const { earlier, same } = await db
    .selectFrom('sessions')
    .select((on) => [
      on.fn.countAll<number>().as('earlier'),
      on.fn.countAll<number>().filterWhere('address', '=', address).as('same'),
    ])
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  if (earlier === 0 || same > 0) return
  const { tenantId } = await db
    .selectFrom('accounts')
    .select('tenantId')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const values = { address }
  await notify(db, { event: 'signInNewAddress', tenantId, accountId, about: address, values })
}

const isOver = (moment: Date | null): boolean => moment !== null && moment < new Date()

type Pair = Pick<TokenSet, 'accessToken' | 'refreshToken'>

/** The pair that follows a refresh token. It cannot be derived without that token and the salt of its row. */
function nextPair(refreshToken: string, salt: Buffer): Pair {
  const derived = (name: string) => createHmac('sha256', salt).update(`${name}/${refreshToken}`).digest('base64url')
  return { accessToken: derived('access'), refreshToken: derived('refresh') }
}

/** Adds a pair to a session. */
export async function issuePair(
  db: Database,
  sessionId: number,
  { accessToken, refreshToken }: Pair = { accessToken: newToken(), refreshToken: newToken() },
): Promise<TokenSet> {
  await db
    .insertInto('sessionTokens')
    .values({
      accessHash: hashToken(accessToken),
      refreshHash: hashToken(refreshToken),
      sessionId,
      accessExpiresAt: new Date(Date.now() + accessTokenSeconds * 1000),
      refreshExpiresAt: new Date(Date.now() + refreshTokenSeconds * 1000),
    })
    .execute()
  return { accessToken, refreshToken, tokenType: 'Bearer' }
}

/** Exchanges a pair for the next one. Throws 101016. Reuse also ends the session, which must be committed. */
export async function refreshPair(db: Database, tier: Tier, pair: Pair, address: string): Promise<TokenSet | 'reused'> {
  const row = await db
    .selectFrom('sessionTokens')
    .innerJoin('sessions', 'sessions.id', 'sessionTokens.sessionId')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select([
      'sessions.id as sessionId',
      'sessions.endedAt',
      'sessions.expiresAt',
      'accounts.tier',
      'accounts.status',
      'sessionTokens.accessHash',
      'refreshExpiresAt',
      'replacedAt',
      'replacedFrom',
      'nextSalt',
    ])
    .where('refreshHash', '=', hashToken(pair.refreshToken))
    .forUpdate('sessionTokens')
    .executeTakeFirst()
  if (
    !row?.accessHash.equals(hashToken(pair.accessToken)) ||
    row.tier !== tier ||
    row.endedAt ||
    isOver(row.expiresAt) ||
    row.status !== 1 ||
    row.refreshExpiresAt < new Date()
  )
    throw new Fault('refreshTokenFailed')
  if (row.replacedAt) {
    const isSoon = Date.now() - row.replacedAt.getTime() <= refreshGraceSeconds * 1000
    if (isSoon && row.nextSalt && row.replacedFrom === address)
      return { ...nextPair(pair.refreshToken, row.nextSalt), tokenType: 'Bearer' }
    await endSession(db, row.sessionId)
    return 'reused'
  }
  const nextSalt = randomBytes(32)
  const next = await issuePair(db, row.sessionId, nextPair(pair.refreshToken, nextSalt))
  await db
    .updateTable('sessionTokens')
    .set({ replacedAt: sql<Date>`now()`, replacedFrom: address, nextSalt })
    .where('accessHash', '=', row.accessHash)
    .execute()
  await db.updateTable('sessions').set({ lastSeenAt: new Date() }).where('id', '=', row.sessionId).execute()
  return next
}

/** Ends one session: its tokens are no longer accepted. */
export async function endSession(db: Database, sessionId: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ endedAt: new Date() })
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .execute()
}

/** Ends every session of an account. */
export const endAllSessions = (db: Database, accountId: number): Promise<number> => endOtherSessions(db, accountId, 0)

/** Ends all sessions of an account but one, including those in which it acts for others. Returns how many. */
export async function endOtherSessions(db: Database, accountId: number, keep: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ endedAt: new Date() })
    .where((on) => on.or([on('accountId', '=', accountId), on('actorAccountId', '=', accountId)]))
    .where('id', '!=', keep)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The columns of a session and of everybody in it, for a query that starts at the session. */
const ofSessions = (db: Database) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .leftJoin('accounts as actors', 'actors.id', 'sessions.actorAccountId')
    .select(actorColumns)
    .select(['sessions.id as sessionId', 'sessions.endedAt', 'sessions.expiresAt'])
    .select(accountColumns)

type SessionRow = InferResult<ReturnType<typeof ofSessions>>[number]

/** The caller of a session. Throws 101013 if the session has ended, 101014 if it has expired. */
function callerOfRow(row: SessionRow | undefined, address: string): Caller {
  if (!row || row.endedAt || row.status !== 1) throw new Fault('invalidToken')
  if (isOver(row.expiresAt)) throw new Fault('tokenExpired')
  if (!isAllowedFrom(address, row.groupCidrs) || !isAllowedFrom(address, row.actorCidrs))
    throw new Fault('permissionDenied', 'sourceAddress')
  return callerOf(row, { sessionId: row.sessionId, proxiedBy: deputyOf(row) })
}

/** The caller of an access token. Throws 101013 if it is not a token of this console, 101014 if it has expired. */
export async function callerOfToken(
  db: Database,
  token: string,
  tier: string | undefined,
  address: string,
): Promise<Caller> {
  const row = await ofSessions(db)
    .innerJoin('sessionTokens', 'sessionTokens.sessionId', 'sessions.id')
    .select(['sessionTokens.accessExpiresAt', 'sessionTokens.replacedAt'])
    .where('accessHash', '=', hashToken(token))
    .executeTakeFirst()
  if (!row || row.endedAt || (tier !== undefined && row.tier !== tier)) throw new Fault('invalidToken')
  const isOld = row.replacedAt !== null && Date.now() - row.replacedAt.getTime() > refreshGraceSeconds * 1000
  if (row.status === 1 && (isOld || row.accessExpiresAt < new Date())) throw new Fault('tokenExpired')
  return callerOfRow(row, address)
}

/** The caller of a session that is still open, by id, for responses that outlast a token. Throws as `callerOfToken`. */
export async function callerOfSession(db: Database, sessionId: number, address: string): Promise<Caller> {
  const row = await ofSessions(db)
    .where('sessions.id', '=', sessionId)
    .where((on) =>
      on.exists(
        on
          .selectFrom('sessionTokens')
          .select('sessionTokens.sessionId')
          .whereRef('sessionTokens.sessionId', '=', 'sessions.id')
          .where('refreshExpiresAt', '>', sql<Date>`now()`),
      ),
    )
    .executeTakeFirst()
  return callerOfRow(row, address)
}
