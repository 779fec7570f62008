/** Encodings as classes: what clients send in a hundred spellings is one of four in the cache key and at the origin. */
import { trimmed } from '../lib/trimmed.ts'

/** What a client can decode, and at once the Accept-Encoding that the origin gets; '' for neither. */
export type EncodingClass = 'br, gzip' | 'br' | 'gzip' | ''

const known: Record<string, EncodingClass> = {}
let count = 0
const knownMax = 2000

/** What a list says of an encoding: true and false for accepted and forbidden, nothing where it is not named. */
function named(header: string, name: string): boolean | undefined {
  for (const part of header.split(',')) {
    const text = trimmed(part).toLowerCase()
    if (text !== name && !text.startsWith(`${name};`) && !text.startsWith(`${name} `)) continue
    const q = text.indexOf('q=')
    if (q < 0) return true
    const weight = text.substring(q + 2)
    return weight !== '0' && weight !== '0.' && weight !== '0.0' && weight !== '0.00' && weight !== '0.000'
  }
  return undefined
}

/** The class of an Accept-Encoding header; remembered, for there are few. */
export function encodingClass(header: string | undefined): EncodingClass {
  if (header === undefined || header === '') return ''
  const before = known[header]
  if (before !== undefined) return before
  const any = named(header, '*') === true
  const br = named(header, 'br') ?? any
  const gzip = named(header, 'gzip') ?? any
  const found = br ? (gzip ? 'br, gzip' : 'br') : gzip ? 'gzip' : ''
  if (count < knownMax) {
    known[header] = found
    count++
  }
  return found
}

/** Ends of paths whose content is packed by itself: pictures, sounds, films, fonts and archives. */
const packed: Record<string, true> = {}
for (const name of ['gif', 'png', 'jpg', 'mp3', 'm4a', 'aac', 'ogg', 'oga', 'ogv', 'mp4', 'm4v', 'mov', 'mkv', 'zip'])
  packed[`.${name}`] = true
for (const name of ['rar', 'bz2', 'tgz', 'apk', 'deb', 'rpm', 'dmg', 'jpeg', 'webp', 'avif', 'webm', 'flac', 'woff'])
  packed[`.${name}`] = true

/**
 * Whether every visitor gets one stored answer, in the origin's own bytes: what nobody compresses. Else a range, which is
 * one of those bytes, would be fetched and stored apart from the whole. By look-ups: a loop would not be compiled.
 */
export function isPacked(path: string): boolean {
  return packed[path.substring(path.length - 4)] === true || packed[path.substring(path.length - 5)] === true
}
