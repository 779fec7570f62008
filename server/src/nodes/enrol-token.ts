/** One-time tokens that let one machine join a zone. Stored hashed; good once, for 15 minutes. */
import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

const lifeMs = 15 * 60_000
/** What a token's node is called where nobody named it; the machine's own name is then the better one. */
export const unnamed = 'node'

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Makes a token of a zone. Runs as the system; what the caller may do was asked before. */
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

/** Refuses a token that could not be used up now; it stays good. Runs as the system. */
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
 * Uses a token up: of two at once, one gets it. It is good again when the transaction fails. Who used it and comes again
 * in its time gets the node that it became: `nodeId`. Runs as the system.
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

/** Notes which node a token made. */
export async function noteNode(db: Database, token: string, nodeId: number): Promise<void> {
  await db.updateTable('enrolTokens').set({ nodeId }).where('tokenHash', '=', hashOf(token)).execute()
}
