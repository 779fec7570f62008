/** Where API tokens are used from, in the audit log: reads leave no other trace there. */
import type { FastifyRequest } from 'fastify'
import { type Database, withSystem } from '../db/database.ts'
import { writeAudit } from './audit.ts'
import type { Caller } from './implement.ts'

/** A token from an address is written down once in so many ms. */
const staleMs = 3_600_000
const pairsMax = 10_000

/** Kept in the process: forgetting costs an entry too many, never one too few. */
export class TokenUses {
  private readonly notedAt = new Map<string, number>()

  /** Writes an entry where a program's token comes from an address for the first time in an hour. */
  async note(db: Database, caller: Caller, address: string, request: FastifyRequest): Promise<void> {
    if (!caller.apiToken) return
    const pair = `${caller.apiToken.id} ${address}`
    const now = Date.now()
    if (now - (this.notedAt.get(pair) ?? 0) < staleMs) return
    if (this.notedAt.size >= pairsMax) this.notedAt.clear()
    this.notedAt.set(pair, now)
    const call = { caller, audit: {}, requestId: request.id, address }
    await withSystem(db, (tx) => writeAudit(tx, 'apiToken.used', call, request))
  }
}
