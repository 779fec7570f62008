/** What public DNS returns for customers' domains: where they point, and the record that proves ownership. */
import { Resolver } from 'node:dns/promises'
import type { DnsCheck } from '@breakwater/contract/domains/domains.ts'

const timeoutMs = 2_000

export type DnsLookup = {
  /** The TXT records of a name, each joined; empty if it has none or there is no response. */
  texts: (name: string) => Promise<string[]>
  /** Where a name points: its CNAME, or else its addresses. */
  leadsTo: (name: string) => Promise<{ names: string[]; addresses: string[] }>
}

/** Uses these resolvers (address or address:port), or the system's own if none are given. */
export function makeDnsLookup(servers: readonly string[]): DnsLookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  // No record, no such name and no response mean the same to somebody waiting for a record: not there yet.
  const orNone = <T>(asked: Promise<T[]>): Promise<T[]> => asked.catch(() => [])
  return {
    texts: async (name) => (await orNone(resolver.resolveTxt(name))).map((chunks) => chunks.join('')),
    async leadsTo(name) {
      const [names, four, six] = await Promise.all([
        orNone(resolver.resolveCname(name)),
        orNone(resolver.resolve4(name)),
        orNone(resolver.resolve6(name)),
      ])
      return { names, addresses: [...four, ...six] }
    },
  }
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** Any name below a wildcard represents all of them. */
export const nameToAsk = (domain: string) => domain.replace(/^\*\./, 'www.')

export type Wanted = { domain: string; cname: string; addresses: string[]; recordName: string; recordValue: string }

/** `cname` may be empty: then the domain must point to one or more of the nodes' addresses. */
export async function checkDns(dns: DnsLookup, wanted: Wanted): Promise<DnsCheck> {
  const [{ names, addresses }, texts, ours] = await Promise.all([
    dns.leadsTo(nameToAsk(wanted.domain)),
    dns.texts(wanted.recordName),
    // There can be no CNAME at a zone apex: an ALIAS there resolves to the same addresses.
    wanted.cname === '' ? { addresses: [] } : dns.leadsTo(wanted.cname),
  ])
  const isOurs =
    names.some((name) => plain(name) === plain(wanted.cname)) ||
    (addresses.length > 0 && addresses.every((address) => [...ours.addresses, ...wanted.addresses].includes(address)))
  const found = names.length > 0 ? names.map(plain) : addresses
  return {
    state: isOurs ? 'pointing' : found.length > 0 ? 'elsewhere' : 'absent',
    found,
    proof: texts.includes(wanted.recordValue),
  }
}
