/** Domain names as the product accepts them. */
import { z } from 'zod'

export const domainReasons = [
  'invalid_type',
  'punycode_error',
  'invalid_format',
  'invalid_tld',
  'invalid_sld_length',
  'invalid_sld_underscore',
] as const
export type DomainReason = (typeof domainReasons)[number]

export type DomainCheck = { ok: true; name: string } | { ok: false; reason: DomainReason }

const label = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/
const asciiName = /^[\x20-\x7e]*$/

/** Converts to ASCII by the platform's IDNA (UTS 46). A wildcard and underscores are kept; nothing else unusual is. */
function toAscii(text: string): string | undefined {
  if (asciiName.test(text)) return text.toLowerCase()
  try {
    const host = new URL(`http://${text.replace(/^\*\./, 'wildcard-label.')}`).hostname
    return text.startsWith('*.') ? host.replace(/^wildcard-label\./, '*.') : host
  } catch {
    return undefined
  }
}

/**
 * Checks and normalises a domain name: ASCII, lower case, without a trailing dot. If it is rejected, returns exactly
 * one reason, in the order type, punycode, format, tld, second-level length, second-level underscore.
 */
export function checkDomainName(value: unknown, options: { wildcard: boolean }): DomainCheck {
  if (typeof value !== 'string') return { ok: false, reason: 'invalid_type' }
  if (/[\s/:?#@\\%[\]]/.test(value.trim())) return { ok: false, reason: 'invalid_format' }
  const ascii = toAscii(value.trim())
  if (ascii === undefined) return { ok: false, reason: 'punycode_error' }
  const name = ascii.replace(/\.$/, '')
  const bare = name.startsWith('*.') && options.wildcard ? name.slice(2) : name
  const labels = bare.split('.')
  const secondLevel = labels.at(-2)
  const isNumeric = /^[\d.]+$/.test(bare)
  if (isNumeric || name.length > 253 || secondLevel === undefined) return { ok: false, reason: 'invalid_format' }
  if (!labels.slice(0, -2).every(isLabel)) return { ok: false, reason: 'invalid_format' }
  if (secondLevel.length > 0 && !label.test(secondLevel)) return { ok: false, reason: 'invalid_format' }
  const top = labels.at(-1) ?? ''
  if (top.length > 63 || !/^([a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/.test(top)) return { ok: false, reason: 'invalid_tld' }
  if (secondLevel.length < 1 || secondLevel.length > 63) return { ok: false, reason: 'invalid_sld_length' }
  if (secondLevel.includes('_')) return { ok: false, reason: 'invalid_sld_underscore' }
  return { ok: true, name }
}

function isLabel(text: string): boolean {
  return text.length <= 63 && label.test(text)
}

const named = (wildcard: boolean) =>
  z.unknown().transform((value, context) => {
    const check = checkDomainName(value, { wildcard })
    if (check.ok) return check.name
    // An empty field is missing, not invalid.
    context.addIssue({ code: 'custom', message: value === '' ? 'required' : check.reason })
    return z.NEVER
  }) as unknown as z.ZodType<string, string>

/** A host name without a wildcard. */
export const DomainName = named(false)
/** A host name that may begin with `*.`. */
export const DomainPattern = named(true)
