/** What the WAF's decoders have in common. Texts are bytes. */
import { replaced } from './lua-text.ts'

/** The value of a hexadecimal digit, or −1. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code >= 65 && code <= 70 ? code + 32 : code
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** The byte of two digits at a place, or −1. */
export function hexByte(text: string, at: number): number {
  if (at + 1 >= text.length) return -1
  const high = hexValue(text.charCodeAt(at))
  const low = hexValue(text.charCodeAt(at + 1))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/** The byte that stands for a character of four digits: its low half, full-width forms as their ASCII. −1 for no digits. */
export function lowByte(text: string, at: number): number {
  const high = hexByte(text, at)
  const low = hexByte(text, at + 2)
  if (high < 0 || low < 0) return -1
  return high === 0xff && low > 0 && low < 0x5f ? low + 0x20 : low
}

/** Space, tab, line feed, vertical tab, form feed and carriage return. */
export const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

export const isDigit = (code: number): boolean => code >= 48 && code <= 57

export const isWordByte = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const hexDigits = '0123456789abcdefABCDEF'
/** Bytes by their two digits. */
const byteOf: Record<string, string> = {}
for (let high = 0; high < hexDigits.length; high++)
  for (let low = 0; low < hexDigits.length; low++) {
    const pair = hexDigits.charAt(high) + hexDigits.charAt(low)
    byteOf[pair] = String.fromCharCode(hexByte(pair, 0))
  }

/** `%xx` once, and `+` as a space; what is no escape stays as it is. */
export function formDecoded(text: string): string {
  const spaced = text.indexOf('+') < 0 ? text : replaced(text, '+', ' ')
  return spaced.indexOf('%') < 0 ? spaced : replaced(spaced, '%%(%x%x)', byteOf)
}

/** The whole number that a text begins with, as C reads it; 0 where there is none. */
export function numberOf(text: string): number {
  const isNegative = text.startsWith('-')
  let value = 0
  for (let at = isNegative ? 1 : 0; at < text.length && at < 16 && isDigit(text.charCodeAt(at)); at++)
    value = value * 10 + text.charCodeAt(at) - 48
  return isNegative ? -value : value
}
