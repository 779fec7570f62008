/**
 * The reputation of addresses (contract/src/edge/reputation.ts): one file per node, mapped by each worker, and mapped
 * again when the agent reports a new one.
 */
import * as ffi from 'ffi'
import { bumpGeneration } from '../memory/site-index.ts'
import { mapFile } from './mapped-file.ts'
import { node } from './node.ts'
import { messageOf } from './raise.ts'

const dict = ngx.shared.node!
const key = 'reputation'
const magic = 'BWREPUT1'
const headerBytes = 16
const damaged = 'the reputation file is damaged'
/** The size of an IPv4 range in four-byte words, and of an IPv6 range in bytes. */
const v4Words = 3
const v6Bytes = 36

type Reputation = {
  /** The file as four-byte words. */
  words: Record<number, number>
  v4Count: number
  /** A pointer, typed as a number for the code that adds to it. */
  v6: number
  v6Count: number
  owner: unknown
}

let current: Reputation | undefined
/** The file that this worker has mapped; '' before the first check. */
let seen = ''

/** Makes every worker map the file again with its next request. */
export function renewReputation(hash: string): void {
  dict.set(key, hash)
  bumpGeneration()
}

/** Maps the file again if it has changed. If the new file is damaged, the old one stays in use. */
export function refreshReputation(): void {
  const [told] = dict.get(key)
  const version = (told as string | undefined) ?? 'start'
  if (version === seen) return
  seen = version
  const [ok, found] = pcall(() => openReputation(`${node().folder}/reputation.bin`))
  if (ok) current = found as Reputation | undefined
  else ngx.log(ngx.ERR, messageOf(found))
}

function openReputation(path: string): Reputation | undefined {
  const file = mapFile(path, headerBytes, damaged)
  if (file === undefined) return undefined
  const words = ffi.cast('const uint32_t *', file.owner)
  const v4Count = words[2] as number
  const v6Count = words[3] as number
  const bytes = headerBytes + v4Count * v4Words * 4 + v6Count * v6Bytes
  if (ffi.string(file.owner, 8) !== magic || file.size !== bytes) throw new Error(damaged)
  return { words, v4Count, v6: ffi.cast('const unsigned char *', file.owner), v6Count, owner: file.owner }
}

/** The score of an address given as 4 or 16 bytes; 0 if it has none. */
export function reputationOf(bytes: string): number {
  if (current === undefined) return 0
  return bytes.length === 4 ? scoreOfV4(current, bytes) : scoreOfV6(current, bytes)
}

function scoreOfV4({ words, v4Count }: Reputation, bytes: string): number {
  const [a, b, c, d] = string.byte(bytes, 1, 4)
  const address = a! * 16777216 + b! * 65536 + c! * 256 + d!
  let low = 0
  let high = v4Count - 1
  while (low <= high) {
    const middle = math.floor((low + high) / 2)
    const at = 4 + middle * v4Words
    if (address < words[at]!) high = middle - 1
    else if (address > words[at + 1]!) low = middle + 1
    else return words[at + 2]!
  }
  return 0
}

function scoreOfV6({ words, v4Count, v6, v6Count }: Reputation, bytes: string): number {
  const base = headerBytes + v4Count * v4Words * 4
  let low = 0
  let high = v6Count - 1
  while (low <= high) {
    const middle = math.floor((low + high) / 2)
    const at = base + middle * v6Bytes
    if (ffi.C.memcmp!(bytes, v6 + at, 16) < 0) high = middle - 1
    else if (ffi.C.memcmp!(bytes, v6 + at + 16, 16) > 0) low = middle + 1
    else return words[(at + 32) / 4]!
  }
  return 0
}
