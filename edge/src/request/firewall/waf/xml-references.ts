/** Character references in XML: the five predefined names, and numeric ones. */

const named: Record<string, string | undefined> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The longest reference that is decoded, without `&` and `;`: numbers may have leading zeros. */
const referenceMax = 16

/** Decodes the references in a text; characters beyond ASCII become UTF-8 bytes. Anything else stays as it is. */
export function xmlDecoded(text: string): string {
  let at = text.indexOf('&')
  if (at < 0) return text
  const pieces: string[] = []
  let from = 0
  while (at >= 0) {
    const near = text.substring(at + 1, at + 2 + referenceMax)
    const length = near.indexOf(';')
    const meant = length < 0 ? undefined : meantBy(near.substring(0, length))
    if (meant !== undefined) {
      pieces.push(text.substring(from, at), meant)
      from = at + length + 2
    }
    at = text.indexOf('&', meant === undefined ? at + 1 : from)
  }
  pieces.push(text.substring(from))
  return pieces.join('')
}

function meantBy(reference: string): string | undefined {
  if (reference.charAt(0) !== '#') return named[reference]
  const isHex = reference.charAt(1) === 'x'
  const base = isHex ? 16 : 10
  let code = 0
  const first = isHex ? 2 : 1
  if (first === reference.length) return undefined
  for (let at = first; at < reference.length; at++) {
    const digit = digitOf(reference.charCodeAt(at))
    if (digit >= base) return undefined
    code = code * base + digit
  }
  return utf8Of(code)
}

/** The value of a hexadecimal digit; 16 if it is not one. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code >= 97 ? code - 97 : code - 65
  return letter >= 0 && letter < 6 ? letter + 10 : 16
}

/** A UTF-8 continuation byte: six bits of a code point, from the place value `above` on. */
const further = (code: number, above: number): number => 128 + (Math.floor(code / above) % 64)

/** Returns undefined if it is not a character. */
function utf8Of(code: number): string | undefined {
  if (code === 0 || code > 0x10ffff) return undefined
  if (code < 0x80) return String.fromCharCode(code)
  if (code < 0x800) return String.fromCharCode(192 + Math.floor(code / 64), further(code, 1))
  if (code < 0x10000) return String.fromCharCode(224 + Math.floor(code / 4096), further(code, 64), further(code, 1))
  return String.fromCharCode(
    ...[240 + Math.floor(code / 262_144), further(code, 4096), further(code, 64), further(code, 1)],
  )
}
