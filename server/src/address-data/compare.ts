/**
 * Compares uploaded address data with the data in use, so that truncated or unrelated data is not accepted unnoticed.
 */

import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { formatAddress } from '@breakwater/contract/addresses.ts'
import {
  type AddressTable,
  countryOfNumber,
  type Places,
  rangesIn,
  valueAt,
} from '@breakwater/contract/edge/address-table.ts'
import {
  type AddressDataComparison,
  probes,
  probesChangeMax,
  rangesChangeMax,
} from '@breakwater/contract/nodes/address-data.ts'

/** How many of the probed addresses are IPv6. */
const v6Probes = probes / 5

export function compareTables(kind: AddressDataKind, inUse: AddressTable, given: AddressTable): AddressDataComparison {
  const [ranges, rangesInUse] = [countsOf(given), countsOf(inUse)]
  const textOf = (value: number) => (kind === 'countries' ? countryOfNumber(value) : value === 0 ? '' : `AS${value}`)
  const asked = [
    ...probesOf(inUse.v4, probes - v6Probes).map((address) => ({ family: 4 as const, address })),
    ...probesOf(inUse.v6, v6Probes).map((address) => ({ family: 6 as const, address })),
  ]
  const changed = asked.flatMap(({ family, address }) => {
    const places = family === 4 ? 'v4' : 'v6'
    const [before, after] = [valueAt(inUse[places], address), valueAt(given[places], address)]
    if (before === after) return []
    const whole = family === 4 ? BigInt(address) : BigInt(address) << 80n
    return [{ address: formatAddress(family, whole), before: textOf(before), after: textOf(after) }]
  })
  const isFar = (now: number, before: number) => Math.abs(now - before) > before * rangesChangeMax
  const isOdd = isFar(ranges.v4, rangesInUse.v4) || isFar(ranges.v6, rangesInUse.v6) || changed.length > probesChangeMax
  return { ranges, rangesInUse, asked: asked.length, changed, isOdd }
}

const countsOf = ({ v4, v6 }: AddressTable) => ({ v4: rangesIn(v4), v6: rangesIn(v6) })

/** Addresses in the middle of ranges that have a value, spread evenly over the table. */
function probesOf({ starts, values }: Places, count: number): number[] {
  const found: number[] = []
  for (let n = 0; n < count; n++) {
    let at = Math.floor(((n + 0.5) / count) * values.length)
    while (at < values.length && values[at] === 0) at += 1
    const start = starts[at]
    if (start !== undefined) found.push(start + Math.floor(((starts[at + 1] ?? start + 1) - start) / 2))
  }
  return found
}
