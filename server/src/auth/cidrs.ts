/** The networks from which an operator's own staff may sign in and work. */
import { parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

/** Whether an address is in one of the ranges. Without ranges, every address is allowed. */
export function isAllowedFrom(address: string, cidrs: readonly string[]): boolean {
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

/** Whether an account may sign in from an address. Only an operator's staff are restricted. Runs as the system. */
export async function maySignInFrom(db: Database, tier: Tier, tenantId: number, address: string): Promise<boolean> {
  if (tier !== 'client') return true
  const row = await db.selectFrom('signInPolicies').select('cidrs').where('tenantId', '=', tenantId).executeTakeFirst()
  return !row || isAllowedFrom(address, row.cidrs)
}

/** Throws if an operator's staff sign in from an address outside its networks. Runs as the system. */
export async function requireAddress(db: Database, tier: Tier, tenantId: number, address: string): Promise<void> {
  if (!(await maySignInFrom(db, tier, tenantId, address))) throw new Fault('permissionDenied', 'sourceAddress')
}
