/** Encoding classes: the cache key and the origin see one of four values, however Accept-Encoding is written. */
import { trimmed } from '../lib/trimmed.ts'

/** What a client can decode, which is also the Accept-Encoding sent to the origin; '' for neither. */
export type EncodingClass = 'br, gzip' | 'br' | 'gzip' | ''

const known: Record<string, EncodingClass> = {}
let count = 0
const knownMax = 2000

/** Whether a list accepts (true) or forbids (false) an encoding. Returns undefined if it does not name it. */
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

/** The class of an Accept-Encoding header. Remembered, since few distinct headers occur. */
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

/** File extensions whose content is already compressed: images, audio, video, fonts and archives. */
const packed: Record<string, true> = {}
for (const name of ['gif', 'png', 'jpg', 'mp3', 'm4a', 'aac', 'ogg', 'oga', 'ogv', 'mp4', 'm4v', 'mov', 'mkv', 'zip'])
  packed[`.${name}`] = true
for (const name of ['rar', 'bz2', 'tgz', 'apk', 'deb', 'rpm', 'dmg', 'jpeg', 'webp', 'avif', 'webm', 'flac', 'woff'])
  packed[`.${name}`] = true

/**
 * Whether every visitor gets the same stored answer, in the origin's own bytes, because nobody compresses it. Otherwise
 * a range, which refers to those bytes, would be fetched and stored separately from the whole. Uses lookups, because
 * LuaJIT would not compile a loop here.
 */
export function isPacked(path: string): boolean {
  return packed[path.substring(path.length - 4)] === true || packed[path.substring(path.length - 5)] === true
}
