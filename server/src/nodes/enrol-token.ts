/** One-time tokens that let one machine join a zone. Stored as hashes; valid once, for 15 minutes. */
import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

const lifeMs = 15 * 60_000
/** The name on a token that nobody named; the machine's own name is then used instead. */
export const unnamed = 'node'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Creates a token for a zone. Runs as the system; the caller's permission was checked before. */
export async function makeToken(
  db: Database,
  zoneId: number,
  name: string,
): Promise<{ token: string; expiresAt: Date }> {
  const token = `bwn_${randomBytes(32).toString('base64url')}`
  const expiresAt = new Date(Date.now() + lifeMs)
  await db
    .insertInto('enrolTokens')
    .values({ tokenHash: hashOf(token), zoneId, name, expiresAt })
    .execute()
  return { token, expiresAt }
}

/** Throws if a token could not be redeemed now; does not redeem it. Runs as the system. */
export async function requireToken(db: Database, token: string): Promise<void> {
  const known = await db
    .selectFrom('enrolTokens')
    .select(['usedAt', 'expiresAt'])
    .where('tokenHash', '=', hashOf(token))
    .executeTakeFirst()
  if (!known || known.usedAt !== null) throw new Fault('invalidToken')
  if (known.expiresAt <= new Date()) throw new Fault('tokenExpired')
}

/**
 * Redeems a token: of two concurrent calls, one succeeds. It is valid again if the transaction fails. A machine that
 * redeems its token again before it expires, with the same key, gets the node that it became as `nodeId`. Runs as the
 * system.
 */
export async function consumeToken(
  db: Database,
  token: string,
  keyHash: Buffer,
): Promise<{ zoneId: number; name: string; nodeId?: number }> {
  const tokenHash = hashOf(token)
  const now = new Date()
  const taken = await db
    .updateTable('enrolTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning(['zoneId', 'name'])
    .executeTakeFirst()
  if (taken) return taken
  const again = await db
    .selectFrom('enrolTokens as token')
    .innerJoin('nodes as node', 'node.id', 'token.nodeId')
    .select(['token.zoneId', 'token.name', 'node.id as nodeId'])
    .where('token.tokenHash', '=', tokenHash)
    .where('token.expiresAt', '>', now)
    .where('node.keyHash', '=', keyHash)
    .where('node.revokedAt', 'is', null)
    .executeTakeFirst()
  if (again) return again
  const known = await db
    .selectFrom('enrolTokens')
    .select('usedAt')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  throw new Fault(known && known.usedAt === null ? 'tokenExpired' : 'invalidToken')
}

/** Records the node that was enrolled with a token. */
export async function noteNode(db: Database, token: string, nodeId: number): Promise<void> {
  await db.updateTable('enrolTokens').set({ nodeId }).where('tokenHash', '=', hashOf(token)).execute()
}
