/** The transformations of rules, as ModSecurity has them. */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import { formDecoded, isSpace } from './bytes.ts'
import { base64Decode, cssDecode, htmlEntityDecode, jsDecode, urlDecodeUni, utf8toUnicode } from './decoders.ts'

/** Runs of spaces as one, or as none. */
function spaces(text: string, replacement: string): string {
  const out: string[] = []
  let from = 0
  let at = 0
  while (at < text.length) {
    if (!isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== 0xa0) {
      at++
      continue
    }
    out.push(text.substring(from, at), replacement)
    while (at < text.length && (isSpace(text.charCodeAt(at)) || text.charCodeAt(at) === 0xa0)) at++
    from = at
  }
  out.push(text.substring(from))
  return out.join('')
}

/** What shells drop is dropped, what separates is a space. */
function cmdLine(text: string): string {
  const out: string[] = []
  let isAfterSpace = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"' || char === "'" || char === '\\' || char === '^') continue
    if (char === ' ' || char === ',' || char === ';' || char === '\t' || char === '\r' || char === '\n') {
      if (!isAfterSpace) out.push(' ')
      isAfterSpace = true
      continue
    }
    if ((char === '/' || char === '(') && isAfterSpace) out.pop()
    out.push(char.toLowerCase())
    isAfterSpace = false
  }
  return out.join('')
}

/** Comments of C and SQL as a space; one that has no end, to the end. */
function replaceComments(text: string): string {
  const first = text.indexOf('/*')
  if (first < 0) return text
  const out: string[] = []
  let at = 0
  let open = first
  while (open >= 0) {
    out.push(text.substring(at, open), ' ')
    const end = text.indexOf('*/', open + 2)
    if (end < 0) return out.join('')
    at = end + 2
    open = text.indexOf('/*', at)
  }
  out.push(text.substring(at))
  return out.join('')
}

/** Without doubled slashes, `.` and what `..` takes back. */
function normalizePath(text: string): string {
  if (text.indexOf('.') < 0 && text.indexOf('//') < 0) return text
  const isAbsolute = text.startsWith('/')
  const parts = text.split('/')
  const kept: string[] = []
  const last = parts.length - 1
  for (let i = 0; i <= last; i++) {
    const part = parts[i]!
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop()
    else if (!isAbsolute) kept.push('..')
  }
  const ending = parts[last]!
  const isFolder = last > 0 && kept.length > 0 && (ending === '' || ending === '.' || ending === '..')
  return `${isAbsolute ? '/' : ''}${kept.join('/')}${isFolder ? '/' : ''}`
}

export const transforms: Record<WafTransform, (this: void, text: string) => string> = {
  base64Decode,
  cmdLine,
  compressWhitespace: (text) => spaces(text, ' '),
  cssDecode,
  htmlEntityDecode,
  jsDecode,
  length: (text) => `${text.length}`,
  lowercase: (text) => text.toLowerCase(),
  normalizePath,
  normalizePathWin: (text) => normalizePath(text.replaceAll('\\', '/')),
  removeNulls: (text) => (text.indexOf('\0') < 0 ? text : text.replaceAll('\0', '')),
  removeWhitespace: (text) => spaces(text, ''),
  replaceComments,
  urlDecode: formDecoded,
  urlDecodeUni,
  utf8toUnicode,
}

/** What transformations make of texts in one request, kept by text: many rules ask for the same. */
export type Memo = Record<string, Record<string, string>>

export function transformed(memo: Memo, name: WafTransform, text: string): string {
  let known = memo[name]
  if (known === undefined) {
    known = {}
    memo[name] = known
  }
  const before = known[text]
  if (before !== undefined) return before
  const made = transforms[name](text)
  known[text] = made
  return made
}
