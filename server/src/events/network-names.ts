/** What networks (autonomous systems) are called: a file that is made with the edge, from the data that gives their numbers. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../edge/lua/networks.names')
const [newline, tab] = [10, 9]

/** The file as it is, and where each number's line begins: 80,000 texts would take many times the memory. */
type Names = { bytes: Buffer; numbers: number[]; starts: number[] }
let names: Names | undefined

function readNames(): Names {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  const [numbers, starts]: [number[], number[]] = [[], []]
  for (let start = 0; start < bytes.length; start = bytes.indexOf(newline, start) + 1) {
    numbers.push(Number.parseInt(bytes.toString('latin1', start, start + 10), 10))
    starts.push(start)
  }
  return { bytes, numbers, starts }
}

/** What the network of a number is called; empty where the data does not say, as of 0, which is no network. */
export function networkName(asn: number): string {
  if (asn === 0) return ''
  names ??= readNames()
  const { bytes, numbers, starts } = names
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < asn) low = middle + 1
    else high = middle
  }
  if (numbers[low] !== asn) return ''
  const start = starts[low]!
  return bytes.toString('utf8', bytes.indexOf(tab, start) + 1, bytes.indexOf(newline, start))
}

/** A network as people write it: `AS13335 Cloudflare, Inc.`, the number alone where it has no name. */
export const networkLabel = (asn: number): string => `AS${asn} ${networkName(asn)}`.trimEnd()
