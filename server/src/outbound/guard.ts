/**
 * The one guard of outbound requests on a tenant's behalf: origins, probes, webhooks (threats T7, T8). It decides on the
 * bytes of resolved addresses, never on text, and knows the operator's exceptions.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type AddressRange, parseAddress, parseRange } from '@breakwater/contract/addresses.ts'

/** Networks that are not the public internet: private, loopback, link-local (metadata services), carrier, documentation, multicast, reserved. */
const closedNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map((cidr) => parseRange(cidr)!)

const inside = (address: { family: 4 | 6; value: bigint }, range: AddressRange) =>
  range.family === address.family && address.value >= range.from && address.value <= range.to

export type OutboundGuard = {
  /** Whether an address may be reached for a tenant. */
  mayReach(address: string): boolean
  /** Resolves a name or address and returns the addresses that may be reached. Empty: none of them may. Throws where the name does not resolve. */
  resolve(host: string): Promise<string[]>
}

/** A guard with the operator's exceptions, as CIDRs. The machine's own addresses are closed even where they are public. */
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
      !closedNetworks.some((range) => inside(address, range)) &&
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
