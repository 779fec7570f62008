/** Audits the addresses from which API tokens are used: reads leave no other trace there. */
import type { FastifyRequest } from 'fastify'
import { type Database, withSystem } from '../db/database.ts'
import { writeAudit } from './audit.ts'
import type { Caller } from './implement.ts'

/** A token and address are recorded once per this many ms. */
const staleMs = 3_600_000
const pairsMax = 10_000

/** Kept in memory: if it is lost, there is an entry too many, never one too few. */
export class TokenUses {
  private readonly notedAt = new Map<string, number>()

  /** Writes an entry if an API token is used from an address for the first time in an hour. */
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
