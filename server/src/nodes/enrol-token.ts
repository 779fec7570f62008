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

/** Uses a token up: of two at once, one gets it. It is good again when the transaction fails. Runs as the system. */
export async function consumeToken(db: Database, token: string): Promise<{ zoneId: number; name: string }> {
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
  const known = await db
    .selectFrom('enrolTokens')
    .select('usedAt')
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
  throw new Fault(known && known.usedAt === null ? 'tokenExpired' : 'invalidToken')
}
