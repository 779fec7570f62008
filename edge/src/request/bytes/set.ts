/** Sets of bytes. */

import * as ffi from 'ffi'
import { trimmed } from '../lib/trimmed.ts'
import type { ByteSet } from '../lib/waf-tools.ts'
import { type Bytes, byteTable } from './buffer.ts'

/** For ranges such as `9,10,32-126`: the set of all other bytes. Throws if the text is not a list of byte ranges. */
export function bytesOutside(text: string): ByteSet {
  const wrong = byteTable(() => 1)
  for (const part of text.split(',')) {
    const ends = trimmed(part).split('-')
    const first = Number(ends[0])
    const last = Number(ends[ends.length - 1])
    if (!(first >= 0 && last <= 255)) throw new Error(`${text} is no range of bytes`)
    for (let byte = first; byte <= last; byte++) wrong[byte] = 0
  }
  return wrong as unknown as ByteSet
}

export function holdsByte(text: string, set: ByteSet): boolean {
  const table = set as unknown as Bytes
  const bytes = ffi.cast('const uint8_t *', text) as Bytes
  const length = text.length
  for (let at = 0; at < length; at++) if (table[bytes[at]!] !== 0) return true
  return false
}
