/** The transformations of rules, as ModSecurity has them. */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import { formDecoded } from './bytes.ts'
import {
  base64Decode,
  cssDecode,
  escapeSeqDecode,
  htmlEntityDecode,
  jsDecode,
  urlDecodeUni,
  utf8toUnicode,
} from './decoders.ts'
import { replaced } from './lua-text.ts'

// What goes through a text byte by byte is done by Lua's own functions, in C: a body has thousands of them.

const spaces = ' \t\n\v\f\r'
/** The bytes of a no-break space in UTF-8, and of one alone: dropped as spaces are, but no part of a run of them. */
const noBreakSpaces = String.fromCharCode(0xc2, 0xa0)

/** What shells drop is dropped, what separates is a space, which is dropped before a slash and a bracket. */
function cmdLine(text: string): string {
  const kept = replaced(text, '["\'\\\\^]', '')
  return replaced(replaced(kept, '[ ,;\t\r\n]+', ' '), ' ([/(])', '%1').toLowerCase()
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

/** What begins and ends comments, the longest first. */
const commentMarks = ['<!--', '-->', '/*', '*/', '--', '#']

/** Without the marks of comments, what stands in them kept. */
function removeCommentsChar(text: string): string {
  const out: string[] = []
  let at = 0
  for (;;) {
    let next = -1
    let length = 0
    for (const mark of commentMarks) {
      const found = text.indexOf(mark, at)
      if (found < 0 || (next >= 0 && found >= next)) continue
      next = found
      length = mark.length
    }
    if (next < 0) {
      out.push(text.substring(at))
      return out.join('')
    }
    out.push(text.substring(at, next))
    at = next + length
  }
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
  compressWhitespace: (text) => replaced(text, `[${spaces}]+`, ' '),
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
  removeWhitespace: (text) => replaced(text, `[${spaces}${noBreakSpaces}]+`, ''),
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
