/**
 * Maps addresses to numbers: the country of an address, or its autonomous system (network). One table in two forms.
 *
 * On the wire (`packTable`): a header of 16 bytes (`BWADDRT1`, the counts of IPv4 and IPv6 entries as u32), the starts
 * of IPv4 as u32, their numbers as u32, the starts of IPv6 (the first 48 bits) as f64, their numbers as u32. An entry
 * holds until the next one; the number 0 means unknown. Entries begin at 0 and ascend.
 *
 * Mapped into memory by nginx (`mappedTable`): the same with a header of `BWADDRM1`, padded to the largest number of
 * entries. Unused entries begin after all addresses, so that a search always takes the same number of steps.
 * Little-endian.
 */
const packedMagic = 'BWADDRT1'
const mappedMagic = 'BWADDRM1'
const headerBytes = 16
/** The most entries; the search (edge/src/request/nginx/address-table.ts) relies on both being these powers of two. */
export const v4PlacesMax = 2 ** 20
export const v6PlacesMax = 2 ** 19
const v4End = 2 ** 32
const v6End = 2 ** 48

/** The most bytes of a table on the wire, before compression. */
export const tableBytesMax = headerBytes + v4PlacesMax * 8 + v6PlacesMax * 12

export type Places = { starts: ArrayLike<number>; values: ArrayLike<number> }
export type AddressTable = { v4: Places; v6: Places }

/** First and last address of a range, and its number. IPv6 addresses are cut to their first 48 bits. */
export type NumberedRange = { from: number; to: number; value: number }

/**
 * An entry where each range begins, and one for unknown after it. Ranges are sorted; where two overlap, the earlier
 * wins.
 */
export function placesOf(ranges: Iterable<NumberedRange>): Places {
  const [starts, values]: [number[], number[]] = [[], []]
  const put = (start: number, value: number) => {
    // Of two entries with the same start, the later wins. An entry that repeats the previous number is left out.
    if (starts.at(-1) === start) {
      starts.pop()
      values.pop()
    }
    if (values.at(-1) === value) return
    starts.push(start)
    values.push(value)
  }
  put(0, 0)
  let end = 0
  for (const { from, to, value } of ranges) {
    // Anything finer than the first 48 bits of IPv6 counts as the range of their first address.
    const start = Math.max(from, end)
    if (to < start) continue
    if (start > end) put(end, 0)
    put(start, value)
    end = to + 1
  }
  put(end, 0)
  return { starts, values }
}

function write(table: AddressTable, magic: string, v4Room: number, v6Room: number): Uint8Array {
  const { v4, v6 } = table
  if (v4.starts.length > v4PlacesMax || v6.starts.length > v6PlacesMax)
    throw new RangeError('more ranges than a table has places')
  const bytes = new Uint8Array(headerBytes + v4Room * 8 + v6Room * 12)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(magic))
  view.setUint32(8, v4.starts.length, true)
  view.setUint32(12, v6.starts.length, true)
  const v6At = headerBytes + v4Room * 8
  for (let i = 0; i < v4Room; i++) {
    view.setUint32(headerBytes + i * 4, Math.min(v4.starts[i] ?? v4End, v4End - 1), true)
    view.setUint32(headerBytes + (v4Room + i) * 4, v4.values[i] ?? 0, true)
  }
  for (let i = 0; i < v6Room; i++) {
    view.setFloat64(v6At + i * 8, v6.starts[i] ?? v6End, true)
    view.setUint32(v6At + v6Room * 8 + i * 4, v6.values[i] ?? 0, true)
  }
  return bytes
}

export const packTable = (table: AddressTable): Uint8Array =>
  write(table, packedMagic, table.v4.starts.length, table.v6.starts.length)

export const mappedTable = (table: AddressTable): Uint8Array => write(table, mappedMagic, v4PlacesMax, v6PlacesMax)

/**
 * Reads a table in either form. Throws if the bytes are not a table, or out of order, since lookups are binary
 * searches.
 */
export function readTable(bytes: Uint8Array): AddressTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = new TextDecoder('latin1').decode(bytes.subarray(0, 8))
  if (bytes.length < headerBytes || (magic !== packedMagic && magic !== mappedMagic))
    throw new TypeError('it is no table of addresses')
  const [v4, v6] = [view.getUint32(8, true), view.getUint32(12, true)]
  if (v4 > v4PlacesMax || v6 > v6PlacesMax) throw new TypeError('it has too many places')
  const [v4Room, v6Room] = magic === packedMagic ? [v4, v6] : [v4PlacesMax, v6PlacesMax]
  const v6At = headerBytes + v4Room * 8
  if (v6At + v6Room * 12 !== bytes.length) throw new TypeError('it is cut off')
  // Typed arrays need aligned offsets, hence the copy. All machines that nodes run on are little-endian.
  const { buffer } = new Uint8Array(bytes)
  const table = {
    v4: {
      starts: new Uint32Array(buffer, headerBytes, v4),
      values: new Uint32Array(buffer, headerBytes + v4Room * 4, v4),
    },
    v6: {
      starts: new Float64Array(buffer, v6At, v6),
      values: new Uint32Array(buffer, v6At + v6Room * 8, v6),
    },
  }
  requireOrder(table.v4, v4End)
  requireOrder(table.v6, v6End)
  return table
}

function requireOrder({ starts }: Places, end: number): void {
  let last = -1
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i]!
    if (!Number.isInteger(start) || start <= last || start > end) throw new TypeError('its places are out of order')
    last = start
  }
  if (starts[0] !== 0) throw new TypeError('it does not begin at the first address')
}

/** The number of an address (for IPv6, of its first 48 bits); 0 if the table does not have it. */
export function valueAt({ starts, values }: Places, address: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= address) low = middle + 1
    else high = middle
  }
  return values[low - 1] ?? 0
}

/** How many ranges have a number. */
export function rangesIn({ values }: Places): number {
  let count = 0
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) count += 1
  return count
}

/** A country as a number: the two letters of its code. */
export const countryNumber = (code: string): number => code.charCodeAt(0) * 256 + code.charCodeAt(1)
export const countryOfNumber = (value: number): string =>
  value === 0 ? '' : String.fromCharCode(value >> 8, value & 255)
