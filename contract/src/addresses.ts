/** IP addresses, ranges and CIDRs as people type them, and as sorted ranges for machines. */
import { z } from 'zod'

/** The most entries of a list. A range counts as one. */
export const ipsPerListMax = 5000

export type AddressRange = { family: 4 | 6; from: bigint; to: bigint }

function parseV4(text: string): bigint | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (!match) return undefined
  let value = 0n
  for (const part of match.slice(1)) {
    if (Number(part) > 255 || (part.length > 1 && part.startsWith('0'))) return undefined
    value = value * 256n + BigInt(part)
  }
  return value
}

function parseV6(text: string): bigint | undefined {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(':')) return undefined
  const tail = text.slice(text.lastIndexOf(':') + 1)
  let source = text
  if (tail.includes('.')) {
    const v4 = parseV4(tail)
    if (v4 === undefined) return undefined
    source = `${text.slice(0, -tail.length)}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`
  }
  const halves = source.split('::')
  if (halves.length > 2) return undefined
  const groups = (half: string | undefined) => (half === undefined || half === '' ? [] : half.split(':'))
  const head = groups(halves[0])
  const rest = groups(halves[1])
  const missing = 8 - head.length - rest.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  let value = 0n
  for (const group of [...head, ...Array<string>(halves.length === 1 ? 0 : missing).fill('0'), ...rest]) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
    value = value * 65536n + BigInt(`0x${group}`)
  }
  return value
}

/** Parses one address. An IPv4-mapped IPv6 address is returned as IPv4, since the two are the same client. */
export function parseAddress(text: string): { family: 4 | 6; value: bigint } | undefined {
  const v4 = parseV4(text)
  if (v4 !== undefined) return { family: 4, value: v4 }
  const v6 = parseV6(text)
  if (v6 === undefined) return undefined
  return v6 >> 32n === 0xffffn ? { family: 4, value: v6 & 0xffffffffn } : { family: 6, value: v6 }
}

/** Parses an address, `first-last` or CIDR. Host bits below a CIDR's prefix are accepted and dropped. */
export function parseRange(text: string): AddressRange | undefined {
  const [start, end, ...more] = text.split('-')
  if (more.length > 0 || start === undefined) return undefined
  if (end !== undefined) {
    const from = parseAddress(start.trim())
    const to = parseAddress(end.trim())
    if (!from || !to || from.family !== to.family || from.value > to.value) return undefined
    return { family: from.family, from: from.value, to: to.value }
  }
  const [base, prefix, ...rest] = start.split('/')
  const address = parseAddress((base ?? '').trim())
  if (!address || rest.length > 0) return undefined
  if (prefix === undefined) return { family: address.family, from: address.value, to: address.value }
  if (!/^\d{1,3}$/.test(prefix)) return undefined
  const bits = address.family === 4 ? 32 : 128
  const free = BigInt(bits - Number(prefix))
  if (free < 0n) return undefined
  const from = (address.value >> free) << free
  return { family: address.family, from, to: from + (1n << free) - 1n }
}

/** Formats an address, IPv6 in the short form of RFC 5952. */
export function formatAddress(family: 4 | 6, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
  const runs = groups.join(':').match(/\b0(:0)+\b/g) ?? []
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest === '' ? groups.join(':') : groups.join(':').replace(longest, '::').replace(/:{3,}/, '::')
}

/** The canonical text of an entry: lower case, CIDRs at their network, single addresses bare. */
export function formatRange(range: AddressRange): string {
  const { family, from, to } = range
  if (from === to) return formatAddress(family, from)
  const size = to - from + 1n
  const isPower = (size & (size - 1n)) === 0n
  if (isPower && from % size === 0n) {
    return `${formatAddress(family, from)}/${(family === 4 ? 32 : 128) - (size.toString(2).length - 1)}`
  }
  return `${formatAddress(family, from)}-${formatAddress(family, to)}`
}

/**
 * A list of addresses, ranges and CIDRs: entries are trimmed, blank ones dropped, the output is canonical. Validation
 * errors, in this order: required, max5000IPs, wrongFormat (with the line as path), duplicateIP.
 */
export const IpList = z.array(z.string().max(128, 'wrongFormat')).transform((lines, context): string[] => {
  const entries = lines.map((line) => line.trim()).filter((line) => line !== '')
  const refuse = (message: string, path: (string | number)[] = []) => {
    context.addIssue({ code: 'custom', message, path })
    return z.NEVER
  }
  if (entries.length === 0) return refuse('required')
  if (entries.length > ipsPerListMax) return refuse('max5000IPs')
  const seen = new Set<string>()
  for (const [line, entry] of entries.entries()) {
    const range = parseRange(entry)
    if (range === undefined) return refuse('wrongFormat', [line])
    const text = formatRange(range)
    if (seen.has(text)) return refuse('duplicateIP', [line])
    seen.add(text)
  }
  return [...seen]
})
