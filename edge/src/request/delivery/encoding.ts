/** Encodings as classes: what browsers send in a hundred spellings is one of three in the cache key and at the origin. */

export type EncodingClass = 'br' | 'gzip' | ''

const known: Record<string, EncodingClass> = {}
let count = 0
const knownMax = 2000

/** Whether a list names an encoding without forbidding it by `q=0`. */
function accepts(header: string, name: string): boolean {
  for (const part of header.split(',')) {
    const text = part.trim().toLowerCase()
    if (text !== name && !text.startsWith(`${name};`) && !text.startsWith(`${name} `)) continue
    const q = text.indexOf('q=')
    if (q < 0) return true
    const weight = text.substring(q + 2)
    return weight !== '0' && weight !== '0.' && weight !== '0.0' && weight !== '0.00' && weight !== '0.000'
  }
  return false
}

/** The class of an Accept-Encoding header; remembered, for there are few. */
export function encodingClass(header: string | undefined): EncodingClass {
  if (header === undefined || header === '') return ''
  const before = known[header]
  if (before !== undefined) return before
  const found = accepts(header, 'br') ? 'br' : accepts(header, 'gzip') ? 'gzip' : ''
  if (count < knownMax) {
    known[header] = found
    count++
  }
  return found
}
