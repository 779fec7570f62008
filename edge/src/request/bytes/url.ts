/** Byte classes (digits, whitespace) and URL decoding. */
import { type Bytes, byteTable, reading, readingPart, writing, written } from './buffer.ts'

/** The value of a hexadecimal digit, or −1. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code >= 65 && code <= 70 ? code + 32 : code
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** The value of each byte as a hexadecimal digit, or −1 if it is not one. */
export const hexDigit: Bytes = byteTable(hexValue)

/** The byte written as two hex digits at `at`, or −1. A NUL, which is not a digit, follows the end of the text. */
export function hexByte(bytes: Bytes, at: number): number {
  const high = hexDigit[bytes[at]!]!
  if (high < 0) return -1
  const low = hexDigit[bytes[at + 1]!]!
  return low < 0 ? -1 : high * 16 + low
}

/** The byte of a character of four hex digits: the low byte, full-width forms as ASCII. −1 if there are none. */
export function lowByte(bytes: Bytes, at: number): number {
  const high = hexByte(bytes, at)
  if (high < 0) return -1
  const low = hexByte(bytes, at + 2)
  if (low < 0) return -1
  return high === 0xff && low > 0 && low < 0x5f ? low + 0x20 : low
}

/** Space, tab, line feed, vertical tab, form feed and carriage return. */
export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

export const isWordByte = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const [percent, plus, space, smallU, largeU] = [37, 43, 32, 117, 85]

/** Each byte, with a space for a plus. A table, as a branch at every space would cost more than all the rest. */
const withoutPlus: Bytes = byteTable((byte) => (byte === plus ? space : byte))

/** Decodes `%xx` once and `+` as a space; with `isWide`, `%uxxxx` too. Invalid escapes stay as they are. */
export function urlDecoded(text: string, isWide: boolean): string {
  return decodedTo(reading(text), text.length, isWide)
}

function decodedTo(from: Bytes, length: number, isWide: boolean): string {
  const to = writing(length)
  let [at, size] = [0, 0]
  while (at < length) {
    const byte = from[at]!
    at++
    to[size] = withoutPlus[byte]!
    if (byte === percent) {
      const next = from[at]!
      const isWideHere = isWide && (next === smallU || next === largeU)
      const decoded = isWideHere ? lowByte(from, at + 1) : hexByte(from, at)
      if (decoded >= 0) {
        to[size] = decoded
        at += isWideHere ? 5 : 2
      }
    }
    size++
  }
  return written(size)
}

/** Decodes form-encoded text, or only the part from `from` up to `end`, without creating a string of that part. */
export function formDecoded(text: string, from?: number, end?: number): string {
  if (from !== undefined && end !== undefined) return decodedTo(readingPart(text, from, end), end - from, false)
  return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : urlDecoded(text, false)
}

export function isUrlEncoded(text: string): boolean {
  const bytes = reading(text)
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) if (hexByte(bytes, at + 1) < 0) return false
  return true
}
