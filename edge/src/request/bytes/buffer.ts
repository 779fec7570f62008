/**
 * Texts as bytes outside Lua's memory: loops over them are machine code, and make no string for each byte. What is read and
 * what is written are one place each, so a text is done with before the next is begun.
 */
import * as ffi from 'ffi'

export type Bytes = Record<number, number>

let [sourceSize, targetSize] = [65_536, 65_536]
let source = ffi.new('uint8_t[?]', sourceSize)
let target = ffi.new('uint8_t[?]', targetSize)

/** The bytes of a text, and a NUL behind them. */
export const reading = (text: string): Bytes => readingPart(text, 0, text.length)

/** The same of the bytes between two places. */
export function readingPart(text: string, from: number, end: number): Bytes {
  const length = end - from
  if (length >= sourceSize) {
    sourceSize = length * 2
    source = ffi.new('uint8_t[?]', sourceSize)
  }
  ffi.copy(source, ffi.cast('const uint8_t *', text) + from, length)
  source[length] = 0
  return source
}

/** Where a text of so many bytes at most can be written. */
export function writing(length: number): Bytes {
  if (length > targetSize) {
    targetSize = length * 2
    target = ffi.new('uint8_t[?]', targetSize)
  }
  return target
}

/** The first bytes of what was written. */
export const written = (length: number): string => ffi.string(target, length)

/** A number for each byte. */
export function byteTable(of: (this: void, byte: number) => number): Bytes {
  const table = ffi.new('int16_t[256]') as Bytes
  for (let byte = 0; byte < 256; byte++) table[byte] = of(byte)
  return table
}
