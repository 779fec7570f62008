/** Finds where a domain is served today from its DNS. TLS is tried first, since most sites use it. */

import type { domains } from '@breakwater/contract/domains/domains.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import type { OutboundGuard } from '../outbound/guard.ts'
import { probeOrigin } from '../outbound/probe.ts'
import { type DnsLookup, nameToAsk } from './dns-check.ts'

type Parts = { lookup: DnsLookup; guard: OutboundGuard; edgeDomain: string }
type Found = NonNullable<Reply<typeof domains.findOrigin>['origin']>

type Asked = { domain: string; origin?: Omit<Found, 'probe'> | undefined }

const ways = [
  { port: 443, tls: true },
  { port: 80, tls: false },
] as const

/**
 * Prefers an address to the domain's own name, whose record will be changed to point to the edge. A CNAME to another
 * host is kept as a name, because its addresses change.
 */
export async function originOf({ lookup, guard, edgeDomain }: Parts, { domain, origin }: Asked): Promise<Found | null> {
  const hostHeader = nameToAsk(domain)
  if (origin) return { ...origin, probe: await probeOrigin(guard, { ...origin, hostHeader }) }
  const { names, addresses } = await lookup.leadsTo(hostHeader)
  const next = names[0]?.toLowerCase().replace(/\.$/, '')
  if (edgeDomain !== '' && next?.endsWith(`.${edgeDomain}`)) return null
  const ip = next ?? addresses[0]
  if (ip === undefined) return null
  const tried = await Promise.all(
    ways.map(async (way) => ({ ip, ...way, probe: await probeOrigin(guard, { ip, ...way, hostHeader }) })),
  )
  return (
    tried.find(({ probe }) => probe.reachable && probe.status < 500) ??
    tried.find(({ probe }) => probe.reachable) ??
    tried[0]!
  )
}
