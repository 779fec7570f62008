/**
 * IP addresses as byte strings: 4 characters for IPv4, 16 for IPv6, as nginx provides them. Byte strings of equal
 * length compare like the addresses they stand for, so ranges need no big integers, in Lua and in Node alike.
 */

export type ByteRange = { from: string; to: string }

const digits = '0123456789abcdef'

/** A decimal number of one to three digits without a leading zero, or -1. */
function decimal(text: string): number {
  if (text.length < 1 || text.length > 3 || (text.length > 1 && text.startsWith('0'))) return -1
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = digits.indexOf(text.charAt(i))
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

function parseV4(text: string): string | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let bytes = ''
  for (const part of parts) {
    const value = decimal(part)
    if (value < 0 || value > 255) return undefined
    bytes += String.fromCharCode(value)
  }
  return bytes
}

function group(text: string): string | undefined {
  if (text.length < 1 || text.length > 4) return undefined
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const digit = digits.indexOf(text.charAt(i))
    if (digit < 0) return undefined
    value = value * 16 + digit
  }
  return String.fromCharCode(Math.floor(value / 256), value % 256)
}

/** The groups of one side of `::`, the last of which may be an IPv4 address. */
function groups(side: string): string | undefined {
  if (side === '') return ''
  let bytes = ''
  const parts = side.split(':')
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    const piece = i === parts.length - 1 && part.indexOf('.') >= 0 ? parseV4(part) : group(part)
    if (piece === undefined) return undefined
    bytes += piece
  }
  return bytes
}

function parseV6(text: string): string | undefined {
  const at = text.indexOf('::')
  if (at < 0) {
    const bytes = groups(text)
    return bytes !== undefined && bytes.length === 16 ? bytes : undefined
  }
  const head = groups(text.substring(0, at))
  const tail = groups(text.substring(at + 2))
  if (head === undefined || tail === undefined || head.length + tail.length > 14) return undefined
  return head + '\0'.repeat(16 - head.length - tail.length) + tail
}

// Written with codes: a non-ASCII literal would become UTF-8 in Lua.
const mapped = '\0'.repeat(10) + String.fromCharCode(255, 255)

/** Converts an IPv4-mapped IPv6 address to the IPv4 address: both are the same client. */
export function unmapped(bytes: string): string {
  return bytes.length === 16 && bytes.startsWith(mapped) ? bytes.substring(12) : bytes
}

/** The bytes of an address. Returns undefined if the text is not an address. */
export function parseAddress(text: string): string | undefined {
  if (text.length < 2 || text.length > 45) return undefined
  if (text.indexOf(':') < 0) return parseV4(text)
  const bytes = parseV6(text.toLowerCase())
  return bytes === undefined ? undefined : unmapped(bytes)
}

/** The bytes with everything after the first `bits` bits set to 0 or to 1. */
export function masked(bytes: string, bits: number, fill: 0 | 1): string {
  let out = ''
  for (let i = 0; i < bytes.length; i++) {
    const kept = Math.min(8, Math.max(0, bits - i * 8))
    const unit = 2 ** (8 - kept)
    const base = Math.floor(bytes.charCodeAt(i) / unit) * unit
    out += String.fromCharCode(fill === 1 ? base + unit - 1 : base)
  }
  return out
}

/** An address, `first-last` or CIDR. */
export function parseRange(text: string): ByteRange | undefined {
  const dash = text.indexOf('-')
  if (dash >= 0) {
    const from = parseAddress(text.substring(0, dash))
    const to = parseAddress(text.substring(dash + 1))
    if (from === undefined || to === undefined || from.length !== to.length || from > to) return undefined
    return { from, to }
  }
  const slash = text.indexOf('/')
  const bytes = parseAddress(slash < 0 ? text : text.substring(0, slash))
  if (bytes === undefined) return undefined
  if (slash < 0) return { from: bytes, to: bytes }
  const bits = decimal(text.substring(slash + 1))
  if (bits < 0 || bits > bytes.length * 8) return undefined
  return { from: masked(bytes, bits, 0), to: masked(bytes, bits, 1) }
}

/** Ranges sorted by their first address, with IPv4 and IPv6 separate. */
export type RangeSet = { v4: ByteRange[]; v6: ByteRange[] }

/**
 * Sorts ranges and joins overlapping ones, so that a single binary search finds an address. Throws if an entry is not a
 * range.
 */
export function rangeSet(entries: readonly string[]): RangeSet {
  const set: RangeSet = { v4: [], v6: [] }
  for (const entry of entries) {
    const range = parseRange(entry)
    if (range === undefined) throw new Error(`not an address range: ${entry}`)
    const family = range.from.length === 4 ? set.v4 : set.v6
    family.push(range)
  }
  return { v4: joined(set.v4), v6: joined(set.v6) }
}

function joined(ranges: ByteRange[]): ByteRange[] {
  ranges.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
  const out: ByteRange[] = []
  for (const range of ranges) {
    const last = out[out.length - 1]
    if (last === undefined || range.from > last.to) out.push({ from: range.from, to: range.to })
    else if (range.to > last.to) last.to = range.to
  }
  return out
}

/** Whether a set contains an address, by binary search. */
export function inRangeSet(set: RangeSet, bytes: string): boolean {
  const ranges = bytes.length === 4 ? set.v4 : set.v6
  let low = 0
  let high = ranges.length - 1
  if (high < 0 || bytes < ranges[0]!.from || bytes > ranges[high]!.to) return false
  if (high === 0) return true
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const range = ranges[middle]!
    if (bytes < range.from) high = middle - 1
    else if (bytes > range.to) low = middle + 1
    else return true
  }
  return false
}

/** The text of an address; IPv6 without abbreviation, which nginx does not need. */
export function formatAddress(bytes: string): string {
  const parts: string[] = []
  if (bytes.length === 4) {
    for (let i = 0; i < 4; i++) parts.push(`${bytes.charCodeAt(i)}`)
    return parts.join('.')
  }
  for (let i = 0; i < 16; i += 2) {
    let group = ''
    for (const half of [bytes.charCodeAt(i), bytes.charCodeAt(i + 1)]) {
      group += digits.charAt(Math.floor(half / 16)) + digits.charAt(half % 16)
    }
    parts.push(group)
  }
  return parts.join(':')
}
