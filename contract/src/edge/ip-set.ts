/**
 * The binary form of a long address list, built by the server and mapped into memory by a node:
 * 16 bytes of header (`BWIPSET1`, count of IPv4 ranges u32, count of IPv6 ranges u32), then the IPv4 ranges as pairs of
 * u32, then the IPv6 ranges as pairs of 16 bytes. All numbers little-endian except IPv6 addresses, which are network
 * order; ranges are sorted, merged and do not overlap.
 */
import { type AddressRange, parseRange } from '../addresses.ts'

export const ipSetMagic = 'BWIPSET1'
/** Longer lists become parts of their own. */
export const inlineIpsMax = 200

/** Sorts ranges of one family and merges those that overlap or touch. */
export function mergeRanges(ranges: AddressRange[]): AddressRange[] {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const merged: AddressRange[] = []
  for (const range of sorted) {
    const last = merged.at(-1)
    if (last && range.from <= last.to + 1n) {
      if (range.to > last.to) merged[merged.length - 1] = { ...last, to: range.to }
    } else merged.push(range)
  }
  return merged
}

/** Encodes a list of canonical entries. Throws if an entry is not a range. */
export function encodeIpSet(entries: readonly string[]): Uint8Array {
  const ranges = entries.map((entry) => {
    const range = parseRange(entry)
    if (!range) throw new TypeError(`not an address range: ${entry}`)
    return range
  })
  const v4 = mergeRanges(ranges.filter((range) => range.family === 4))
  const v6 = mergeRanges(ranges.filter((range) => range.family === 6))
  const bytes = new Uint8Array(16 + v4.length * 8 + v6.length * 32)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(ipSetMagic))
  view.setUint32(8, v4.length, true)
  view.setUint32(12, v6.length, true)
  v4.forEach((range, i) => {
    view.setUint32(16 + i * 8, Number(range.from), true)
    view.setUint32(20 + i * 8, Number(range.to), true)
  })
  const base = 16 + v4.length * 8
  v6.forEach((range, i) => {
    for (const [j, value] of [range.from, range.to].entries()) {
      view.setBigUint64(base + i * 32 + j * 16, value >> 64n, false)
      view.setBigUint64(base + i * 32 + j * 16 + 8, value & 0xffffffffffffffffn, false)
    }
  })
  return bytes
}
