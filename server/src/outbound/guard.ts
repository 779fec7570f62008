/**
 * The only guard of outbound requests on a tenant's behalf: origins, probes, webhooks. It decides on the bytes of
 * resolved addresses, never on text, and knows the operator's exceptions.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type AddressRange, parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import { closedNetworks } from '@breakwater/contract/edge/closed-networks.ts'

const closed = closedNetworks.map((cidr) => parseRange(cidr)!)

const inside = (address: { family: 4 | 6; value: bigint }, range: AddressRange) =>
  range.family === address.family && address.value >= range.from && address.value <= range.to

/** Whether a text is an address of the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && !closed.some((range) => inside(address, range))
}

export type OutboundGuard = {
  /** Whether an address may be reached for a tenant. */
  mayReach(address: string): boolean
  /**
   * Resolves a name or address and returns the addresses that may be reached. Empty if none of them may. Throws if the
   * name does not resolve.
   */
  resolve(host: string): Promise<string[]>
}

/**
 * A guard with the operator's exceptions, as CIDRs. The machine's own addresses are blocked even if they are public.
 */
export function makeOutboundGuard(allow: string[]): OutboundGuard {
  const allowed = allow.map((cidr) => {
    const range = parseRange(cidr)
    if (!range) throw new Error(`BREAKWATER_ALLOW_ORIGINS: not a network: ${cidr}`)
    return range
  })
  const mayReach = (text: string): boolean => {
    const address = parseAddress(text.replace(/%.*$/, ''))
    if (!address) return false
    if (allowed.some((range) => inside(address, range))) return true
    return (
      !closed.some((range) => inside(address, range)) &&
      !ownAddresses().some((own) => own.family === address.family && own.value === address.value)
    )
  }
  return {
    mayReach,
    async resolve(host) {
      const found = isIP(host)
        ? [host]
        : (await lookup(host, { all: true, verbatim: true })).map((entry) => entry.address)
      return found.filter(mayReach)
    },
  }
}

function ownAddresses() {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).flatMap((entry) => parseAddress(entry.address.replace(/%.*$/, '')) ?? []),
  )
}
