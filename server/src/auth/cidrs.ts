/** Where an operator's own people may come from. */
import { parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

/** Whether an address is in one of the ranges; without any, every address is. */
export function comesFrom(address: string, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true
  const from = parseAddress(address)
  return (
    from !== undefined &&
    cidrs.some((cidr) => {
      const range = parseRange(cidr)
      return range?.family === from.family && range.from <= from.value && from.value <= range.to
    })
  )
}

/** Refuses to sign an operator's person in from elsewhere. Runs as the system. */
export async function requireAddress(db: Database, tier: Tier, tenantId: number, address: string): Promise<void> {
  if (tier !== 'client') return
  const row = await db.selectFrom('signInPolicies').select('cidrs').where('tenantId', '=', tenantId).executeTakeFirst()
  if (row && !comesFrom(address, row.cidrs)) throw new Fault('permissionDenied', 'sourceAddress')
}
