/**
 * Finds in one pass which characters relevant to transformations a text contains. Most texts contain none, so no
 * transformation would change them and all of them are skipped.
 */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import { bor } from 'bit'
import * as ffi from 'ffi'
import { type Bytes, reading } from './buffer.ts'
import { isSpace } from './url.ts'

const flag = {
  upper: 1,
  percent: 2,
  plus: 4,
  beyondAscii: 8,
  nul: 16,
  backslash: 32,
  ampersand: 64,
  /** Whitespace other than 0x20. */
  otherSpace: 128,
  space: 256,
  /** Two whitespace characters of any kind in a row. */
  spaces: 512,
  /** A character that `cmdLine` drops or replaces with a space. */
  shell: 1024,
  /** Whitespace before a slash or an opening parenthesis. */
  spaceBefore: 2048,
  comment: 4096,
  /** A dot, or two slashes in a row. */
  path: 8192,
  /** A character that every script contains. */
  markup: 16_384,
  /** Set for every text. */
  any: 32_768,
} as const

const decodes = flag.percent + flag.plus

/** A transformation changes a text only if the text has at least one of these flags. */
export const changedBy: Record<WafTransform, number> = {
  base64Decode: flag.any,
  cmdLine: flag.upper + flag.backslash + flag.otherSpace + flag.spaces + flag.shell + flag.spaceBefore,
  compressWhitespace: flag.otherSpace + flag.spaces,
  cssDecode: flag.backslash,
  escapeSeqDecode: flag.backslash,
  htmlEntityDecode: flag.ampersand,
  jsDecode: flag.backslash,
  length: flag.any,
  lowercase: flag.upper,
  normalizePath: flag.path,
  normalizePathWin: flag.path + flag.backslash,
  removeCommentsChar: flag.any,
  removeNulls: flag.nul,
  removeWhitespace: flag.space + flag.otherSpace + flag.beyondAscii,
  replaceComments: flag.comment,
  urlDecode: decodes,
  urlDecodeUni: decodes,
  utf8toUnicode: flag.beyondAscii,
}

/** Script detection can match only texts with this flag. */
export const neededByScripts: number = flag.markup

function ofByte(byte: number): number {
  if (byte >= 0x80) return flag.beyondAscii
  if (byte === 0) return flag.nul
  if (byte >= 65 && byte <= 90) return flag.upper
  if (byte === 32) return flag.space
  if (isSpace(byte)) return flag.otherSpace
  return byChar[String.fromCharCode(byte)] ?? 0
}

const byChar: Record<string, number> = {
  '%': flag.percent,
  '+': flag.plus,
  '\\': flag.backslash,
  '&': flag.ampersand,
  '"': flag.shell,
  "'": flag.shell,
  '^': flag.shell,
  ',': flag.shell,
  ';': flag.shell,
  '.': flag.path,
  '<': flag.markup,
  '=': flag.markup,
}

/**
 * `flags`: indexed by the class of the preceding byte (other, whitespace, slash) plus the byte. `before`: the class
 * that each byte is for the next one.
 */
const flags = ffi.new('uint16_t[768]') as Bytes
const before = ffi.new('int16_t[256]') as Bytes
const [behindSpace, behindSlash] = [256, 512]
const [slash, star, bracket] = [47, 42, 40]
for (let byte = 0; byte < 256; byte++) {
  const own = ofByte(byte)
  const space = byte === 32 || isSpace(byte)
  before[byte] = space ? behindSpace : byte === slash ? behindSlash : 0
  flags[byte] = own
  flags[behindSpace + byte] =
    own + (space ? flag.spaces : 0) + (byte === slash || byte === bracket ? flag.spaceBefore : 0)
  flags[behindSlash + byte] = own + (byte === star ? flag.comment : 0) + (byte === slash ? flag.path : 0)
}

/** Returns what a text contains, as a sum of flags. */
export function flagsOf(text: string): number {
  const bytes = reading(text)
  const length = text.length
  let found: number = flag.any
  let behind = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    found = bor(found, flags[behind + byte]!)
    behind = before[byte]!
  }
  return found
}
