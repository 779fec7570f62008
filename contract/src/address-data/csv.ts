/**
 * Reads a list of address ranges. Each line has a first address, a last address, and what the range belongs to: a
 * country code, or a network number and its name. Addresses are in text form or whole numbers; fields may be quoted. A
 * first line of column titles is skipped.
 */
import { parseAddress } from '../addresses.ts'
import { countryNumber, type NumberedRange } from '../edge/address-table.ts'

/** What addresses are looked up for. */
export const addressDataKinds = ['countries', 'networks'] as const
export type AddressDataKind = (typeof addressDataKinds)[number]

/** A range with its file and line. */
export type ListedRange = NumberedRange & { file: number; line: number }
export type ListedRanges = { v4: ListedRange[]; v6: ListedRange[] }
export type AddressProblem = { line: number; reason: string }

const linesMax = 3_000_000
/** The most problems reported per file; once they are fixed, the next read reports more. */
export const problemsMax = 20
const nameMax = 200
const asnMax = 2 ** 32 - 1

const shape = /^"?([^",]*)"?,"?([^",]*)"?,"?([^",]*)"?(?:,(.*))?$/
const titles = /^"?[a-z_ ]+"?,"?[a-z_ ]+"?,/i
/** Country codes that mean unknown. */
const unknownCountry = /^(?:-|ZZ|XX)?$/i

/** Adds the ranges and names of one file to `ranges` and `names`. Returns the problems found. */
export function readCsv(
  kind: AddressDataKind,
  bytes: Uint8Array,
  file: number,
  ranges: ListedRanges,
  names: Map<number, string>,
): AddressProblem[] {
  const text = new TextDecoder().decode(bytes)
  const problems: AddressProblem[] = []
  let line = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const row = text.slice(start, end < 0 ? text.length : end).trimEnd()
    start = end < 0 ? text.length : end + 1
    line += 1
    if (line > linesMax) return [...problems, { line, reason: `more than ${linesMax} lines` }]
    if (row === '' || (line === 1 && titles.test(row))) continue
    const reason = readRow(kind, row, { file, line }, ranges, names)
    if (reason !== undefined) problems.push({ line, reason })
    if (problems.length >= problemsMax) return problems
  }
  return problems
}

function readRow(
  kind: AddressDataKind,
  row: string,
  place: { file: number; line: number },
  ranges: ListedRanges,
  names: Map<number, string>,
): string | undefined {
  const [, first, last, about, more = ''] = shape.exec(row) ?? []
  if (first === undefined || last === undefined || about === undefined)
    return 'not a first address, a last address and what they are of'
  const from = addressOf(first)
  const to = addressOf(last)
  if (!from || !to) return `no address: ${(from ? last : first).slice(0, 60)}`
  if (from.family !== to.family) return 'the addresses are of two families'
  if (from.value > to.value) return 'the last address is before the first'
  const value = kind === 'countries' ? countryOf(about) : networkOf(about)
  if (value === undefined)
    return `no ${kind === 'countries' ? 'code of a country' : 'number of a network'}: ${about.slice(0, 60)}`
  if (value === 0) return undefined
  if (kind === 'networks' && more !== '' && !names.has(value)) names.set(value, plain(more))
  ranges[from.family === 4 ? 'v4' : 'v6'].push({ from: from.value, to: to.value, value, ...place })
  return undefined
}

type Address = { family: 4 | 6; value: number }

/**
 * IPv6 addresses are cut to their first 48 bits. Lists have a million addresses, so the usual forms take a fast path.
 */
function addressOf(text: string): Address | undefined {
  const v4 = dotted(text)
  if (v4 !== undefined) return { family: 4, value: v4 }
  const groups = /^([0-9a-f]{1,4}):([0-9a-f]{1,4}):([0-9a-f]{1,4}):/.exec(text)
  if (groups && hasV6Form(text)) {
    const [a, b, c] = groups.slice(1).map((group) => Number.parseInt(group, 16)) as [number, number, number]
    return { family: 6, value: (a * 65_536 + b) * 65_536 + c }
  }
  const address = /^\d{1,39}$/.test(text) ? whole(text) : parseAddress(text)
  if (!address) return undefined
  return { family: address.family, value: Number(address.family === 4 ? address.value : address.value >> 80n) }
}

function dotted(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = value * 256 + Number(part)
  }
  return value
}

/** Groups of up to four hex digits: eight of them, or fewer with one `::`. */
function hasV6Form(text: string): boolean {
  const gap = text.indexOf('::')
  const colons = text.length - text.replaceAll(':', '').length
  return gap < 0
    ? colons === 7 && /^(?:[0-9a-f]{1,4}(?::|$)){8}$/.test(text)
    : colons <= 7 && gap === text.lastIndexOf('::') && /^(?:[0-9a-f]{1,4}:)+(?::[0-9a-f]{1,4})*:?$/.test(text)
}

function whole(text: string): { family: 4 | 6; value: bigint } | undefined {
  const value = BigInt(text)
  if (value >> 128n !== 0n) return undefined
  return { family: value >> 32n === 0n ? 4 : 6, value }
}

function countryOf(text: string): number | undefined {
  if (unknownCountry.test(text)) return 0
  return /^[a-z]{2}$/i.test(text) ? countryNumber(text.toUpperCase()) : undefined
}

function networkOf(text: string): number | undefined {
  const digits = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1]
  if (digits === undefined) return text === '' || text === '-' ? 0 : undefined
  return Number(digits) <= asnMax ? Number(digits) : undefined
}

/** A name without the list's quotes, and without control characters, which would end a line or field of ours. */
export function plain(text: string): string {
  const bare = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
  return bare
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, nameMax)
}
