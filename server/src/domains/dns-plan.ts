/** Pure functions: which records the operator's DNS needs for a site, and what has to change. */
import { isIPv6 } from 'node:net'
import type { DnsChange } from '@breakwater/contract/dns/site-dns.ts'

export type AddressRecord = { name: string; type: 'A' | 'AAAA'; addresses: string[]; ttl: number }

type Place = {
  /** The operator's zone, the only one that is written to. */
  zone: string
  /** The name that the site's domains point to. */
  cname: string
  /** The addresses of the nodes that serve it. */
  addresses: string[]
  ttl: number
}

/** Returns no records for a name outside the zone or without any node: without nodes the existing records are kept. */
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

/** What to write and what to remove. A record that was not written yet counts as missing. */
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
