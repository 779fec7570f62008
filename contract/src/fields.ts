/** Fields that mean the same thing wherever they appear. Messages are the validation keys of `messages.tsv`. */
import { z } from 'zod'
import { numberOf, wordOf } from './enumeration.ts'
import { tiers } from './tiers.ts'

/** The generic limits of names and memos, and of URLs and regular expressions. */
export const genericCharsMax = 256
export const urlCharsMax = 2048
export const textBlockCharsMax = 5000

// Control characters would break log lines, headers and e-mails wherever the text is used later.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const printable = /^[^\u0000-\u001f\u007f]*$/

/** A required one-line text: names and titles. */
export const Name = z
  .string()
  .trim()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(printable, 'wrongFormat')
/** An optional one-line text. */
export const Memo = z.string().trim().max(genericCharsMax, 'charactersExceedLimit').regex(printable, 'wrongFormat')

/**
 * An account name: letters, digits, hyphen. For choosing a name; the sign-in form accepts any account name or e-mail.
 */
export const AccountName = z
  .string()
  .min(1, 'required')
  .max(64, 'charactersExceedLimit')
  .regex(/^[A-Za-z0-9-]+$/, 'wrongFormat')
export const Email = z
  .string()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .pipe(z.email('emailError'))

/** Text typed at sign-in: required and without spaces, but nothing else, so that older values still work. */
export const Typed = z
  .string()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(/^\S*$/, 'wrongFormat')
/** A new password: 8 to 256 characters without spaces, at least one letter and one digit. */
export const NewPassword = Typed.min(8, 'passwordTooShort')
  .regex(/\p{L}/u, 'passwordTooWeak')
  .regex(/\d/, 'passwordTooWeak')

export const methods = ['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'PATCH', 'OPTIONS'] as const
export const MethodValues = z.array(wordOf('Method', 'A method of HTTP.', methods)).min(1, 'required')

/** Ids are 32-bit integers in the database, and small numbers (statuses, kinds, types) 16-bit ones. */
export const idMax = 2_147_483_647
export const smallMax = 32_767
/** An id in a body. */
export const Id = z.number().int('wrongFormat').positive('wrongFormat').max(idMax, 'wrongFormat')
/** An id in a query or a form, where every value is text. */
export const QueryId = z.coerce
  .number('wrongFormat')
  .int('wrongFormat')
  .positive('wrongFormat')
  .max(idMax, 'wrongFormat')
/** An id to look up: 0 finds nothing. */
export const IdFilter = z.number().int('wrongFormat').min(0, 'wrongFormat').max(idMax, 'wrongFormat')
/** A status, kind or type in a query. */
export const QuerySmall = z.coerce
  .number('wrongFormat')
  .int('wrongFormat')
  .min(0, 'wrongFormat')
  .max(smallMax, 'wrongFormat')

export const Port = z.number().int('wrongFormat').min(1, 'wrongFormat').max(65535, 'wrongFormat')
export const Priority = z.number().int('number').min(0, 'number').max(1_000_000, 'number')

/** Protection modes. */
export const blockTypes = { shield: 1, code: 2, click: 3, redirect: 4, slider: 5 } as const
export type BlockMode = keyof typeof blockTypes
/** Legacy numbers are read and kept until the rule is edited. 5 has no legacy number. */
export const legacyBlockTypes: Record<number, number> = { 6: 1, 7: 2, 8: 3, 9: 4 }
/** What a new or edited rule may have. */
export const BlockType = numberOf('BlockType', 'How a visitor is challenged', blockTypes, 'required')
/** What a stored rule may have. */
export const StoredBlockType = z.number().int().min(1).max(9)

/** enforce refuses; observe counts what it would have refused. */
export const RuleMode = wordOf('RuleMode', 'enforce refuses; observe only counts what it would have refused.', [
  'enforce',
  'observe',
])
export type RuleMode = z.output<typeof RuleMode>

/** A point in time: RFC 3339 or epoch seconds as input, epoch milliseconds internally. */
export const Moment = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = typeof value === 'number' || /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value)
  if (Number.isFinite(ms) && ms > 0 && ms < 4_102_444_800_000) return ms
  context.addIssue({ code: 'custom', message: 'wrongFormat' })
  return z.NEVER
})
/** The name of a console. */
export const TierName = wordOf(
  'Tier',
  'A console: user is the customer’s, client the operator’s, admin the vendor’s.',
  tiers,
  'required',
)
/** The languages of e-mails and the console. */
export const locales = ['en_US', 'zh_CN', 'zh_TW'] as const
export const Locale = wordOf('Locale', 'A language.', locales)
/** Which way a list is sorted. */
export const SortOrder = wordOf('SortOrder', 'asc is the smallest first.', ['asc', 'desc'])

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
/** A name of the IANA time zone database, such as `Asia/Taipei`. */
export const TimeZone = z.string().max(64, 'charactersExceedLimit').refine(isTimeZone, 'wrongFormat')

export const MomentText = z.string().describe('RFC 3339')

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** A header field's name (RFC 9110 §5.1). */
export const HeaderName = z
  .string()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(headerName, 'wrongFormat')
/** A header field's value (RFC 9110 §5.5): visible characters, spaces and tabs inside; never a line break. */
export const HeaderValue = z
  .string()
  .max(urlCharsMax, 'charactersExceedLimit')
  .regex(/^([\x21-\x7e\x80-\uffff]([\t\x20-\x7e\x80-\uffff]*[\x21-\x7e\x80-\uffff])?)?$/, 'wrongFormat')
