/** Transformations that decode what an application might decode: HTML, JavaScript, CSS, base64, UTF-8. */
import * as ffi from 'ffi'
import { type Bytes, byteTable, reading, writing, written } from './buffer.ts'
import { hexByte, hexDigit, isDigit, isSpace, isWordByte, lowByte } from './url.ts'

const [ampersand, hash, semicolon, backslash, lineFeed] = [38, 35, 59, 92, 10]
const [smallX, largeX, smallU] = [120, 88, 117]

/** The byte for each named entity. */
const entities: Record<string, number> = { quot: 34, amp: 38, lt: 60, gt: 62, nbsp: 0xa0 }
/** The length of the longest entity name that is read. */
const entityMax = 8

/** Where the entity parsed last ends. */
let entityEnd = 0

export function htmlEntityDecode(text: string): string {
  const length = text.length
  const from = reading(text)
  const first = firstEntity(text, from)
  // Every form has ampersands; few have entities.
  if (first < 0) return text
  const to = writing(length)
  ffi.copy(to, from, first)
  let [at, size] = [first, first]
  while (at < length) {
    let byte = from[at]!
    at++
    if (byte === ampersand) {
      const meant = meantAt(text, from, at)
      if (meant >= 0) {
        byte = meant
        at = from[entityEnd] === semicolon ? entityEnd + 1 : entityEnd
      }
    }
    to[size] = byte
    size++
  }
  return written(size)
}

/** The index of the first ampersand that begins an entity, or −1. */
function firstEntity(text: string, from: Bytes): number {
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (meantAt(text, from, at + 1) >= 0) return at
  return -1
}

/** The byte of the entity after an ampersand, or −1 if there is none. */
const meantAt = (text: string, from: Bytes, at: number): number =>
  from[at] === hash ? numbered(from, at + 1) : named(text, from, at)

/** The byte of `#38` or `#x26`, with or without a semicolon, or −1 if it is neither. */
function numbered(from: Bytes, start: number): number {
  const isHex = from[start] === smallX || from[start] === largeX
  const first = isHex ? start + 1 : start
  const base = isHex ? 16 : 10
  let at = first
  let value = 0
  for (;;) {
    const digit = hexDigit[from[at]!]!
    if (digit < 0 || digit >= base) break
    value = (value * base + digit) % 65536
    at++
  }
  entityEnd = at
  return at === first ? -1 : value % 256
}

function named(text: string, from: Bytes, start: number): number {
  let at = start
  while (at - start < entityMax && isWordByte(from[at]!)) at++
  entityEnd = at
  return at === start ? -1 : (entities[text.substring(start, at).toLowerCase()] ?? -1)
}

const jsEscapes: Bytes = byteTable((byte) => byte)
for (const [char, byte] of [
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
] as const)
  jsEscapes[char.charCodeAt(0)] = byte

export function jsDecode(text: string): string {
  if (text.indexOf('\\') < 0) return text
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [at, size] = [0, 0]
  while (at < length) {
    let byte = from[at]!
    let taken = 1
    if (byte === backslash && at + 1 < length) {
      const next = from[at + 1]!
      const coded = next === smallU ? lowByte(from, at + 2) : next === smallX ? hexByte(from, at + 2) : -1
      if (coded >= 0) {
        byte = coded
        taken = next === smallU ? 6 : 4
      } else if (next >= 48 && next <= 55) {
        byte = next - 48
        taken = 2
        // At most three octal digits, with a value of at most 255.
        for (let more = 0; more < 2; more++) {
          const digit = from[at + taken]! - 48
          if (digit < 0 || digit > 7 || byte * 8 + digit > 255) break
          byte = byte * 8 + digit
          taken++
        }
      } else {
        byte = jsEscapes[next]!
        taken = 2
      }
    }
    to[size] = byte
    size++
    at += taken
  }
  return written(size)
}

/** Decodes C escapes. An unknown escape only loses its backslash. */
export function escapeSeqDecode(text: string): string {
  if (text.indexOf('\\') < 0) return text
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [at, size] = [0, 0]
  while (at < length) {
    let byte = from[at]!
    let taken = 1
    if (byte === backslash && at + 1 < length) {
      const next = from[at + 1]!
      const coded = next === smallX || next === largeX ? hexByte(from, at + 2) : -1
      taken = coded >= 0 ? 4 : 2
      byte = coded >= 0 ? coded : jsEscapes[next]!
      if (next >= 48 && next <= 55) {
        byte = next - 48
        for (let more = 0; more < 2; more++) {
          const digit = from[at + taken]! - 48
          if (digit < 0 || digit > 7) break
          byte = byte * 8 + digit
          taken++
        }
        byte %= 256
      }
    }
    to[size] = byte
    size++
    at += taken
  }
  return written(size)
}

export function cssDecode(text: string): string {
  if (text.indexOf('\\') < 0) return text
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [at, size] = [0, 0]
  while (at < length) {
    const byte = from[at]!
    at++
    if (byte !== backslash) {
      to[size] = byte
      size++
      continue
    }
    let end = at
    while (end < at + 6 && hexDigit[from[end]!]! >= 0) end++
    if (end > at) {
      to[size] = cssByte(from, at, end)
      size++
      at = end < length && isSpace(from[end]!) ? end + 1 : end
    } else if (from[at] === lineFeed) at++
    else if (at < length) {
      // The escaped character itself; a trailing backslash is dropped.
      to[size] = from[at]!
      size++
      at++
    }
  }
  return written(size)
}

/** The last two digits count; with four or more, full-width forms become their ASCII equivalent. */
function cssByte(from: Bytes, start: number, end: number): number {
  const digits = end - start
  if (digits === 1) return hexDigit[from[start]!]!
  const byte = hexByte(from, end - 2)
  return digits >= 4 && byte > 0 && byte < 0x5f && hexByte(from, end - 4) === 0xff ? byte + 0x20 : byte
}

const beyondAscii = 0x80
const hexDigits = '0123456789abcdef'
const hexChar: Bytes = byteTable((value) => (value < 16 ? hexDigits.charCodeAt(value) : 0))

/** Writes characters beyond ASCII as `%uxxxx`. */
export function utf8toUnicode(text: string): string {
  const length = text.length
  const from = reading(text)
  // Two bytes become six; four become at most eight.
  const to = writing(length * 3)
  let [at, size] = [0, 0]
  while (at < length) {
    const byte = from[at]!
    const bytes = byte < beyondAscii ? 1 : utf8Length(from, at, length)
    if (bytes < 2) {
      to[size] = byte
      size++
      at++
      continue
    }
    let value = byte % (bytes === 2 ? 32 : bytes === 3 ? 16 : 8)
    for (let i = 1; i < bytes; i++) value = value * 64 + (from[at + i]! % 64)
    to[size] = 37
    to[size + 1] = smallU
    const digits = value >= 0x100000 ? 6 : value >= 0x10000 ? 5 : 4
    for (let i = digits - 1; i >= 0; i--) {
      to[size + 2 + i] = hexChar[value % 16]!
      value = Math.floor(value / 16)
    }
    size += 2 + digits
    at += bytes
  }
  return written(size)
}

/** The number of bytes a character takes, or 0 if they are not valid UTF-8. */
function utf8Length(text: Bytes, at: number, end: number): number {
  const first = text[at]!
  if (first < 0x80) return 1
  const length =
    first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0
  if (length === 0 || at + length > end) return 0
  for (let i = 1; i < length; i++) {
    const code = text[at + i]!
    if (code < 0x80 || code > 0xbf) return 0
  }
  const second = text[at + 1]!
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const isOutside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)
  return isOverlong || isOutside ? 0 : length
}

function base64Value(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (isDigit(code)) return code + 4
  return code === 43 ? 62 : code === 47 ? 63 : -1
}

const base64Digit: Bytes = byteTable(base64Value)

/** Decodes up to the first byte that is not base64. */
export function base64Decode(text: string): string {
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [held, bits, size] = [0, 0, 0]
  for (let at = 0; at < length; at++) {
    const value = base64Digit[from[at]!]!
    if (value < 0) break
    held = held * 64 + value
    bits += 6
    if (bits >= 8) {
      bits -= 8
      const power = 2 ** bits
      to[size] = Math.floor(held / power)
      size++
      held %= power
    }
  }
  return written(size)
}

export function isUtf8(text: string): boolean {
  const bytes = reading(text)
  const end = text.length
  let at = 0
  while (at < end) {
    const length = utf8Length(bytes, at, end)
    if (length === 0) return false
    at += length
  }
  return true
}
