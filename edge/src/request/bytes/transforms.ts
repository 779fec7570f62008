/** The transformations of WAF rules, as ModSecurity defines them. */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import { type Bytes, byteTable, reading, writing, written } from './buffer.ts'
import { base64Decode, cssDecode, escapeSeqDecode, htmlEntityDecode, jsDecode, utf8toUnicode } from './decoders.ts'
import { normalizePath } from './paths.ts'
import { formDecoded, isSpace, urlDecoded } from './url.ts'

const oneIf = (is: boolean): number => (is ? 1 : 0)
const space = 32
const [slash, star, dash, hash, less, more, mark] = [47, 42, 45, 35, 60, 62, 33]

/**
 * 1 for the bytes that `removeWhitespace` keeps. It also drops 0xc2 and 0xa0, the bytes of a no-break space in UTF-8
 * and in Latin-1, which do not count as part of a run of whitespace.
 */
const stays = byteTable((byte) => oneIf(!isSpace(byte) && byte !== 0xc2 && byte !== 0xa0))

// A dropped byte is written and then overwritten by the next one, which saves a branch in the loop.

function removeWhitespace(text: string): string {
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let size = 0
  for (let at = 0; at < length; at++) {
    const byte = from[at]!
    to[size] = byte
    size += stays[byte]!
  }
  return written(size)
}

const inRun = byteTable((byte) => oneIf(isSpace(byte)))
const asSpace = byteTable((byte) => (isSpace(byte) ? space : byte))

function compressWhitespace(text: string): string {
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [size, behindSpace] = [0, 0]
  for (let at = 0; at < length; at++) {
    const byte = from[at]!
    const isSpaceHere = inRun[byte]!
    to[size] = asSpace[byte]!
    size += 1 - isSpaceHere * behindSpace
    behindSpace = isSpaceHere
  }
  return written(size)
}

const isOf = (chars: string) => (byte: number) => oneIf(chars.indexOf(String.fromCharCode(byte)) >= 0)
const droppedByShells = byteTable(isOf('"\'\\^'))
const separates = byteTable(isOf(' ,;\t\r\n'))
const dropsSpace = byteTable(isOf('/('))
const asShell = byteTable((byte) => (separates[byte] === 1 ? space : byte >= 65 && byte <= 90 ? byte + 32 : byte))

/** Drops what shells drop; separators become a space, which is dropped before a slash or opening parenthesis. */
function cmdLine(text: string): string {
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [size, behindSpace] = [0, 0]
  for (let at = 0; at < length; at++) {
    const byte = from[at]!
    if (droppedByShells[byte] !== 0) continue
    const isSeparator = separates[byte]!
    size -= dropsSpace[byte]! * behindSpace
    to[size] = asShell[byte]!
    size += 1 - isSeparator * behindSpace
    behindSpace = isSeparator
  }
  return written(size)
}

/** Replaces comments in the style of C and SQL with a space; an unterminated one extends to the end. */
function replaceComments(text: string): string {
  if (text.indexOf('/*') < 0) return text
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [at, size] = [0, 0]
  while (at < length) {
    let byte = from[at]!
    if (byte === slash && from[at + 1] === star) {
      at += 2
      while (at < length && (from[at] !== star || from[at + 1] !== slash)) at++
      at++
      byte = space
    }
    to[size] = byte
    size++
    at++
  }
  return written(size)
}

/** Removes comment markers (those of HTML and C, `--` and `#`) and keeps the text inside comments. */
function removeCommentsChar(text: string): string {
  const length = text.length
  const from = reading(text)
  const to = writing(length)
  let [at, size] = [0, 0]
  while (at < length) {
    const taken = commentMark(from, at)
    if (taken > 0) {
      at += taken
      continue
    }
    to[size] = from[at]!
    size++
    at++
  }
  return written(size)
}

/** The length in bytes of the comment marker that begins here, or 0. */
function commentMark(from: Bytes, at: number): number {
  const [first, second] = [from[at]!, from[at + 1]!]
  if (first === hash) return 1
  if (first === dash && second === dash) return from[at + 2] === more ? 3 : 2
  if ((first === slash && second === star) || (first === star && second === slash)) return 2
  return first === less && second === mark && from[at + 2] === dash && from[at + 3] === dash ? 4 : 0
}

export const transforms: Record<WafTransform, (this: void, text: string) => string> = {
  base64Decode,
  cmdLine,
  compressWhitespace,
  cssDecode,
  escapeSeqDecode,
  htmlEntityDecode,
  jsDecode,
  length: (text) => `${text.length}`,
  lowercase: (text) => text.toLowerCase(),
  normalizePath,
  normalizePathWin: (text) => normalizePath(text.replaceAll('\\', '/')),
  removeCommentsChar,
  removeNulls: (text) => (text.indexOf('\0') < 0 ? text : text.replaceAll('\0', '')),
  removeWhitespace,
  replaceComments,
  urlDecode: formDecoded,
  urlDecodeUni: (text) => urlDecoded(text, true),
  utf8toUnicode,
}
