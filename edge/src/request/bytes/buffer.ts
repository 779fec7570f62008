/**
 * Text as bytes outside Lua's memory: loops over it compile to machine code and create no string per byte. There is one
 * read buffer and one write buffer, so finish with one text before starting the next.
 */
import * as ffi from 'ffi'

export type Bytes = Record<number, number>

let [sourceSize, targetSize] = [65_536, 65_536]
let source = ffi.new('uint8_t[?]', sourceSize)
let target = ffi.new('uint8_t[?]', targetSize)

/** Returns the bytes of a text, followed by a NUL. */
export const reading = (text: string): Bytes => readingPart(text, 0, text.length)

/** The same for the bytes from `from` up to `end`. */
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

/** Returns a buffer with room for at least `length` bytes. */
export function writing(length: number): Bytes {
  if (length > targetSize) {
    targetSize = length * 2
    target = ffi.new('uint8_t[?]', targetSize)
  }
  return target
}

/** Returns the first `length` bytes written, as a string. */
export const written = (length: number): string => ffi.string(target, length)

/** Builds a lookup table with one number per byte value. */
export function byteTable(of: (this: void, byte: number) => number): Bytes {
  const table = ffi.new('int16_t[256]') as Bytes
  for (let byte = 0; byte < 256; byte++) table[byte] = of(byte)
  return table
}
