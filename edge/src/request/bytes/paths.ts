/** Paths as a file system resolves them. */
import * as ffi from 'ffi'
import { type Bytes, reading, writing, written } from './buffer.ts'

const [slash, dot] = [47, 46]

let roomFor = 1024
/** The offsets at which the kept segments of the current path begin. */
let starts = ffi.new('int32_t[?]', roomFor) as Bytes

/** Removes repeated slashes, `.` segments, and `..` segments together with the segment each of them cancels. */
export function normalizePath(text: string): string {
  if (text.indexOf('.') < 0 && text.indexOf('//') < 0) return text
  const length = text.length
  if (length > roomFor) {
    roomFor = length * 2
    starts = ffi.new('int32_t[?]', roomFor) as Bytes
  }
  const from = reading(text)
  const to = writing(length + 1)
  const first = from[0] === slash ? 1 : 0
  if (first === 1) to[0] = slash
  // `upwards` counts the kept leading `..` segments: a later `..` cannot cancel them.
  let [kept, upwards, size, at] = [0, 0, first, 0]
  let isFolder = false
  while (at <= length) {
    const start = at
    while (at < length && from[at] !== slash) at++
    const bytes = at - start
    const isHere = bytes === 0 || (bytes === 1 && from[start] === dot)
    const isUp = bytes === 2 && from[start] === dot && from[start + 1] === dot
    isFolder = start > 0 && (isHere || isUp)
    at++
    if (isHere) continue
    if (isUp && kept > upwards) {
      kept--
      size = starts[kept]!
      continue
    }
    if (isUp && first === 1) continue
    if (isUp) upwards++
    starts[kept] = size
    if (kept > 0) {
      to[size] = slash
      size++
    }
    for (let n = start; n < start + bytes; n++) {
      to[size] = from[n]!
      size++
    }
    kept++
  }
  if (isFolder && kept > 0) {
    to[size] = slash
    size++
  }
  return written(size)
}
