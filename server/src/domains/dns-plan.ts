/** Which records the operator's DNS shall have for a site, and what that changes: pure. */
import { isIPv6 } from 'node:net'
import type { DnsChange } from '@breakwater/contract/dns/site-dns.ts'

export type AddressRecord = { name: string; type: 'A' | 'AAAA'; addresses: string[]; ttl: number }

type Place = {
  /** The operator's, which alone is written to. */
  zone: string
  /** What the site's domains point at. */
  cname: string
  /** Of the nodes that serve it. */
  addresses: string[]
  ttl: number
}

/** Of a name outside of the zone none; nor of nobody: what has no node keeps what it had. */
export function recordsOf({ zone, cname, addresses, ttl }: Place): AddressRecord[] {
  const name = cname.toLowerCase()
  if (zone === '' || !name.endsWith(`.${zone}`)) return []
  const of = (type: AddressRecord['type'], all: string[]) =>
    all.length === 0 ? [] : [{ name, type, addresses: all.toSorted(), ttl }]
  const [six, four] = [addresses.filter(isIPv6), addresses.filter((address) => !isIPv6(address))]
  return [...of('A', four), ...of('AAAA', six)]
}

type Standing = AddressRecord & { state: string }

export const isSame = (a: AddressRecord, b: AddressRecord): boolean =>
  a.ttl === b.ttl && a.addresses.join() === b.addresses.join()

/** What is written, and what is taken away. A record that was not written yet counts as not there. */
export function changesOf(standing: readonly Standing[], wanted: readonly AddressRecord[]): DnsChange[] {
  const isOf = (a: AddressRecord) => (b: AddressRecord) => a.name === b.name && a.type === b.type
  const there = standing.filter(({ state }) => state === 'written')
  const written = wanted.flatMap((record) => {
    const before = there.find(isOf(record))
    if (before && isSame(before, record)) return []
    const { addresses: after, ...rest } = record
    return [{ ...rest, before: before?.addresses ?? [], after }]
  })
  const gone = there.filter((record) => !wanted.some(isOf(record)))
  return [
    ...written,
    ...gone.map(({ name, type, addresses, ttl }) => ({ name, type, before: addresses, after: [], ttl })),
  ]
}
