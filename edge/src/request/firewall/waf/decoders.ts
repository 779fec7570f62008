/** Transformations that decode what an application may decode: URLs, HTML, JavaScript, CSS, base64. */
import { formDecoded, hexByte, hexValue, isDigit, isSpace, isWordByte, lowByte } from './bytes.ts'
import { holdsAny } from './lua-text.ts'

/** `%u` with four digits beside `%xx` and `+`. */
export function urlDecodeUni(text: string): string {
  if (text.indexOf('%u') < 0 && text.indexOf('%U') < 0) return formDecoded(text)
  const out: string[] = []
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 37) {
      const next = text.charCodeAt(at + 1)
      const wide = next === 117 || next === 85 ? lowByte(text, at + 2) : -1
      const byte = wide >= 0 ? -1 : hexByte(text, at + 1)
      if (wide >= 0 || byte >= 0) {
        out.push(String.fromCharCode(wide >= 0 ? wide : byte))
        at += wide >= 0 ? 6 : 3
        continue
      }
    }
    out.push(code === 43 ? ' ' : text.charAt(at))
    at++
  }
  return out.join('')
}

/** The no-break space as one byte: in a literal, a character beyond ASCII becomes two. */
const noBreakSpace = String.fromCharCode(0xa0)
const entities: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: noBreakSpace }
/** The longest name of an entity. */
const entityMax = 8

export function htmlEntityDecode(text: string): string {
  let mark = text.indexOf('&')
  if (mark < 0) return text
  const out: string[] = []
  let from = 0
  while (mark >= 0) {
    const entity = entityAt(text, mark + 1)
    if (entity !== undefined) {
      out.push(text.substring(from, mark), entity.byte)
      from = entity.end
    }
    mark = text.indexOf('&', entity?.end ?? mark + 1)
  }
  out.push(text.substring(from))
  return out.join('')
}

/** What an entity stands for, and where it ends; its semicolon may be missing. */
function entityAt(text: string, from: number): { byte: string; end: number } | undefined {
  if (text.charAt(from) === '#') {
    const isHex = text.charAt(from + 1) === 'x' || text.charAt(from + 1) === 'X'
    let at = from + (isHex ? 2 : 1)
    const start = at
    let value = 0
    while (at < text.length && (isHex ? hexValue(text.charCodeAt(at)) >= 0 : isDigit(text.charCodeAt(at)))) {
      value = (value * (isHex ? 16 : 10) + hexValue(text.charCodeAt(at))) % 65536
      at++
    }
    if (at === start) return undefined
    return { byte: String.fromCharCode(value % 256), end: text.charAt(at) === ';' ? at + 1 : at }
  }
  let at = from
  while (at < text.length && at - from < entityMax && isWordByte(text.charCodeAt(at))) at++
  const byte = entities[text.substring(from, at).toLowerCase()]
  return byte === undefined ? undefined : { byte, end: text.charAt(at) === ';' ? at + 1 : at }
}

/** Where the next backslash behind a place is, or the end. */
function runEnd(text: string, at: number): number {
  const next = text.indexOf('\\', at + 1)
  return next < 0 ? text.length : next
}

const jsEscapes: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

export function jsDecode(text: string): string {
  if (text.indexOf('\\') < 0) return text
  const out: string[] = []
  let at = 0
  while (at < text.length) {
    if (text.charAt(at) !== '\\' || at + 1 >= text.length) {
      const end = runEnd(text, at)
      out.push(text.substring(at, end))
      at = end
      continue
    }
    const next = text.charAt(at + 1)
    const wide = next === 'u' ? lowByte(text, at + 2) : -1
    const byte = next === 'x' ? hexByte(text, at + 2) : -1
    if (wide >= 0) {
      out.push(String.fromCharCode(wide))
      at += 6
    } else if (byte >= 0) {
      out.push(String.fromCharCode(byte))
      at += 4
    } else if (next >= '0' && next <= '7') {
      let end = at + 1
      let value = 0
      while (end < text.length && end < at + 4 && text.charAt(end) >= '0' && text.charAt(end) <= '7') {
        const more = value * 8 + text.charCodeAt(end) - 48
        if (more > 255) break
        value = more
        end++
      }
      out.push(String.fromCharCode(value))
      at = end
    } else {
      out.push(jsEscapes[next] ?? next)
      at += 2
    }
  }
  return out.join('')
}

const ansiEscapes: Record<string, string> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', '?': '?', "'": "'", '"': '"' },
}

/** Escapes of C: of one that is none the backslash is dropped. */
export function escapeSeqDecode(text: string): string {
  if (text.indexOf('\\') < 0) return text
  const out: string[] = []
  let at = 0
  while (at < text.length) {
    if (text.charAt(at) !== '\\' || at + 1 >= text.length) {
      const end = runEnd(text, at)
      out.push(text.substring(at, end))
      at = end
      continue
    }
    const next = text.charAt(at + 1)
    const byte = next === 'x' || next === 'X' ? hexByte(text, at + 2) : -1
    if (byte >= 0) {
      out.push(String.fromCharCode(byte))
      at += 4
    } else if (next >= '0' && next <= '7') {
      let end = at + 1
      let value = 0
      while (end < text.length && end < at + 4 && text.charAt(end) >= '0' && text.charAt(end) <= '7') {
        value = value * 8 + text.charCodeAt(end) - 48
        end++
      }
      out.push(String.fromCharCode(value % 256))
      at = end
    } else {
      out.push(ansiEscapes[next] ?? next)
      at += 2
    }
  }
  return out.join('')
}

export function cssDecode(text: string): string {
  if (text.indexOf('\\') < 0) return text
  const out: string[] = []
  let at = 0
  while (at < text.length) {
    if (text.charAt(at) !== '\\') {
      const end = runEnd(text, at)
      out.push(text.substring(at, end))
      at = end
      continue
    }
    let end = at + 1
    while (end < text.length && end < at + 7 && hexValue(text.charCodeAt(end)) >= 0) end++
    if (end > at + 1) {
      out.push(String.fromCharCode(cssByte(text, at + 1, end)))
      if (end < text.length && isSpace(text.charCodeAt(end))) end++
    } else if (text.charAt(at + 1) === '\n') end = at + 2
    else {
      // The escaped character itself; a backslash at the end is nothing.
      out.push(text.charAt(at + 1))
      end = at + 2
    }
    at = end
  }
  return out.join('')
}

/** The last two digits count; with four or more, full-width forms are their ASCII. */
function cssByte(text: string, from: number, end: number): number {
  const digits = end - from
  if (digits === 1) return hexValue(text.charCodeAt(from))
  const byte = hexByte(text, end - 2)
  if (digits < 4 || byte <= 0 || byte >= 0x5f) return byte
  const isFullWidth = hexByte(text, end - 4) === 0xff && (digits === 4 || text.substring(from, end - 4).length > 0)
  return isFullWidth ? byte + 0x20 : byte
}

const beyondAscii = `[${String.fromCharCode(0x80)}-${String.fromCharCode(0xff)}]`

/** Characters beyond ASCII as `%uxxxx`. */
export function utf8toUnicode(text: string): string {
  if (!holdsAny(text, beyondAscii)) return text
  const out: string[] = []
  let at = 0
  while (at < text.length) {
    const length = utf8Length(text, at)
    if (length < 2) {
      out.push(text.charAt(at))
      at++
      continue
    }
    let value = text.charCodeAt(at) % (length === 2 ? 32 : length === 3 ? 16 : 8)
    for (let i = 1; i < length; i++) value = value * 64 + (text.charCodeAt(at + i) % 64)
    out.push('%u', hexOf(value))
    at += length
  }
  return out.join('')
}

const digits = '0123456789abcdef'

function hexOf(value: number): string {
  let rest = value
  let out = ''
  while (rest > 0 || out.length < 4) {
    out = digits.charAt(rest % 16) + out
    rest = Math.floor(rest / 16)
  }
  return out
}

/** How many bytes a character takes; 0 where they are no UTF-8. */
export function utf8Length(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first < 0x80) return 1
  const length =
    first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0
  if (length === 0 || at + length > text.length) return 0
  for (let i = 1; i < length; i++) {
    const code = text.charCodeAt(at + i)
    if (code < 0x80 || code > 0xbf) return 0
  }
  const second = text.charCodeAt(at + 1)
  const isOverlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const isOutside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)
  return isOverlong || isOutside ? 0 : length
}

function base64Value(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  return code === 43 ? 62 : code === 47 ? 63 : -1
}

/** Up to the first byte that is not of it. */
export function base64Decode(text: string): string {
  const out: string[] = []
  let held = 0
  let bits = 0
  for (let at = 0; at < text.length; at++) {
    const value = base64Value(text.charCodeAt(at))
    if (value < 0) break
    held = held * 64 + value
    bits += 6
    if (bits >= 8) {
      bits -= 8
      const power = 2 ** bits
      out.push(String.fromCharCode(Math.floor(held / power) % 256))
      held %= power
    }
  }
  return out.join('')
}
