/**
 * The reputation of addresses, shared by all sites on a node: one file, built by the server, fetched by the agent when
 * it changes, and mapped into memory by nginx.
 *
 *   GET /reputation  ?have=<hash>  → ReputationReply
 *
 * The file: 16 bytes of header (`BWREPUT1`, count of IPv4 ranges u32, count of IPv6 ranges u32), the IPv4 ranges (from,
 * to, score as u32), then the IPv6 ranges (from and to as 16 bytes, score as u32). Numbers are little-endian, IPv6
 * addresses in network order; ranges are sorted and do not overlap.
 */
import { z } from 'zod'
import type { AddressRange } from '../addresses.ts'
import { Hash } from '../hash.ts'
import { Signature } from './node-api.ts'

export type ScoredRange = AddressRange & { score: number }

export const reputationMagic = 'BWREPUT1'
const headerBytes = 16
const v4Bytes = 12
const v6Bytes = 36
/** The most ranges of a file. */
export const scoredRangesMax = 250_000

export const ReputationReply = z.object({
  hash: Hash,
  /** Base64; absent if the node already has it. */
  file: z.string().optional(),
  signature: Signature,
})
export type ReputationReply = z.output<typeof ReputationReply>

/** The text that the signature of a reply covers. */
export const reputationSignatureText = (nodeId: number, hash: string): string => ['reputation', nodeId, hash].join('\n')

/** Splits ranges of one family so that none overlap, sorted. Where several overlapped, the worst score counts. */
export function flattenScores(ranges: readonly ScoredRange[]): ScoredRange[] {
  const steps = ranges
    .flatMap(({ from, to, score }) => [
      { at: from, score, by: 1 },
      { at: to + 1n, score, by: -1 },
    ])
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const family = ranges[0]?.family ?? 4
  const open = new Map<number, number>()
  const flat: ScoredRange[] = []
  let from = 0n
  for (const { at, score, by } of steps) {
    const worst = Math.max(0, ...open.keys())
    if (worst > 0 && at > from) {
      const last = flat.at(-1)
      if (last && last.score === worst && last.to + 1n === from) last.to = at - 1n
      else flat.push({ family, from, to: at - 1n, score: worst })
    }
    from = at
    const left = (open.get(score) ?? 0) + by
    if (left === 0) open.delete(score)
    else open.set(score, left)
  }
  return flat
}

/** The bytes of a file. */
export function encodeReputation(ranges: readonly ScoredRange[]): Uint8Array {
  const v4 = flattenScores(ranges.filter(({ family }) => family === 4))
  const v6 = flattenScores(ranges.filter(({ family }) => family === 6))
  const bytes = new Uint8Array(headerBytes + v4.length * v4Bytes + v6.length * v6Bytes)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(reputationMagic))
  view.setUint32(8, v4.length, true)
  view.setUint32(12, v6.length, true)
  v4.forEach(({ from, to, score }, i) => {
    const at = headerBytes + i * v4Bytes
    view.setUint32(at, Number(from), true)
    view.setUint32(at + 4, Number(to), true)
    view.setUint32(at + 8, score, true)
  })
  v6.forEach(({ from, to, score }, i) => {
    const at = headerBytes + v4.length * v4Bytes + i * v6Bytes
    for (const [half, value] of [from >> 64n, from & low64, to >> 64n, to & low64].entries())
      view.setBigUint64(at + half * 8, value, false)
    view.setUint32(at + 32, score, true)
  })
  return bytes
}

const low64 = 0xffffffffffffffffn

/** Decodes the ranges of a file. Throws if it is invalid or out of order, since lookups are binary searches. */
export function decodeReputation(bytes: Uint8Array): ScoredRange[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = new TextDecoder().decode(bytes.subarray(0, 8))
  if (bytes.length < headerBytes || magic !== reputationMagic) throw new TypeError('it is no reputation file')
  const [v4, v6] = [view.getUint32(8, true), view.getUint32(12, true)]
  if (headerBytes + v4 * v4Bytes + v6 * v6Bytes !== bytes.length) throw new TypeError('it is cut off')
  const ranges: ScoredRange[] = []
  const take = (range: ScoredRange) => {
    const last = ranges.at(-1)
    const isAfter = last === undefined || last.family !== range.family || last.to < range.from
    if (!isAfter || range.from > range.to) throw new TypeError('its ranges are out of order')
    if (range.score < 1 || range.score > 100) throw new TypeError('a score is out of bounds')
    ranges.push(range)
  }
  for (let i = 0; i < v4; i++) {
    const at = headerBytes + i * v4Bytes
    const [from, to] = [BigInt(view.getUint32(at, true)), BigInt(view.getUint32(at + 4, true))]
    take({ family: 4, from, to, score: view.getUint32(at + 8, true) })
  }
  const wide = (at: number) => (view.getBigUint64(at, false) << 64n) | view.getBigUint64(at + 8, false)
  for (let i = 0; i < v6; i++) {
    const at = headerBytes + v4 * v4Bytes + i * v6Bytes
    take({ family: 6, from: wide(at), to: wide(at + 16), score: view.getUint32(at + 32, true) })
  }
  return ranges
}

/** The score of an address in sorted ranges; 0 if it has none. */
export function scoreIn(ranges: readonly ScoredRange[], address: { family: 4 | 6; value: bigint }): number {
  const isBefore = (range: ScoredRange) =>
    range.family === address.family ? range.to < address.value : range.family < address.family
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(ranges[middle]!)) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found !== undefined && found.family === address.family && found.from <= address.value ? found.score : 0
}
