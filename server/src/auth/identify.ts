/** Identifies the caller from the Authorization header: a person's session or a person's API token. */
import { apiTokenPrefix } from '@breakwater/contract/auth/api-tokens.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'
import { accountColumns, callerOf } from './caller.ts'
import { isAllowedFrom } from './cidrs.ts'
import { callerOfSession, callerOfToken } from './sessions.ts'
import { hashToken } from './tokens.ts'

/** How stale a token's last-used time may be, in ms: a busy client costs one write a minute. */
const lastUsedStaleMs = 60_000

/** Returns the token of an Authorization header. Throws 101013 if there is none. */
export function bearerOf(authorization: string | undefined): string {
  const token = /^Bearer ([A-Za-z0-9_-]{16,128})$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new Fault('invalidToken')
  return token
}

/**
 * Identifies the caller of a request. Runs as the tables' owner in one statement without a transaction, since it runs
 * at every call.
 */
export function identify(
  db: Database,
  authorization: string | undefined,
  tier: string | undefined,
  address: string,
): Promise<Caller> {
  const token = bearerOf(authorization)
  return token.startsWith(apiTokenPrefix)
    ? callerOfApiToken(db, { tokenHash: hashToken(token) }, address, tier)
    : callerOfToken(db, token, tier, address)
}

/**
 * Returns a caller identified earlier with its current permissions. Looks up the session instead of the token, so that
 * a stream goes on after its session's tokens were refreshed. Throws as `identify` does.
 */
export function identifyAgain(db: Database, { apiToken, sessionId }: Caller, address: string): Promise<Caller> {
  return apiToken ? callerOfApiToken(db, { id: apiToken.id }, address) : callerOfSession(db, sessionId, address)
}

async function callerOfApiToken(
  db: Database,
  by: { id: number } | { tokenHash: Buffer },
  address: string,
  tier?: string,
): Promise<Caller> {
  const rows = db
    .selectFrom('apiTokens')
    .innerJoin('accounts', 'accounts.id', 'apiTokens.accountId')
    .select(accountColumns)
    .select(['apiTokens.id as tokenId', 'apiTokens.name as tokenName', 'apiTokens.permissions as keys'])
    .select(['apiTokens.siteIds', 'apiTokens.cidrs', 'apiTokens.expiresAt', 'apiTokens.lastUsedAt'])
  const row = await ('id' in by
    ? rows.where('apiTokens.id', '=', by.id)
    : rows.where('tokenHash', '=', by.tokenHash)
  ).executeTakeFirst()
  if (row?.status !== 1 || (tier !== undefined && row.tier !== tier)) throw new Fault('invalidToken')
  if (row.expiresAt && row.expiresAt < new Date()) throw new Fault('tokenExpired')
  if (!isAllowedFrom(address, row.cidrs) || !isAllowedFrom(address, row.groupCidrs))
    throw new Fault('permissionDenied', 'sourceAddress')
  if (!row.lastUsedAt || Date.now() - row.lastUsedAt.getTime() > lastUsedStaleMs) {
    await db.updateTable('apiTokens').set({ lastUsedAt: sql`now()` }).where('id', '=', row.tokenId).execute()
  }
  return callerOf(row, {
    apiToken: { id: row.tokenId, name: row.tokenName },
    siteIds: row.siteIds,
    ...(row.keys ? { permissions: row.keys } : {}),
  })
}
