/** Fields that mean the same thing wherever they appear. Messages are the validation keys of `messages.tsv`. */
import { z } from 'zod'
import { checkUrlRegex } from './url-regex.ts'

/** Generic limit of names and memos; of URLs and regular expressions (constants, gaps V-1). */
export const genericCharsMax = 256
export const urlCharsMax = 2048
export const textBlockCharsMax = 5000

// Control characters would break log lines, headers and mails wherever the text later goes.
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

/** An account name: letters, digits, hyphen (rules B3). Used where a name is chosen; the sign-in form takes any account or e-mail. */
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

/** What is typed at sign-in: only required, without spaces, so that older values still work (gaps L-14). */
export const Typed = z
  .string()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(/^\S*$/, 'wrongFormat')
/** A chosen password: 8 to 256 characters without spaces, at least a letter and a digit (gaps L-14). */
export const NewPassword = Typed.min(8, 'passwordTooShort')
  .regex(/\p{L}/u, 'passwordTooWeak')
  .regex(/\d/, 'passwordTooWeak')

/** A regular expression over the canonical path, of the safe subset that every engine here reads alike. */
export const UrlRegex = z
  .string()
  .min(1, 'required')
  .max(urlCharsMax, 'charactersExceedLimit')
  .superRefine((value, context) => {
    const problem = checkUrlRegex(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

export const methods = ['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'PATCH', 'OPTIONS'] as const
export const MethodValues = z.array(z.enum(methods)).min(1, 'required')

export const Port = z.number().int('wrongFormat').min(1, 'wrongFormat').max(65535, 'wrongFormat')
export const Priority = z.number().int('number').min(0, 'number').max(1_000_000, 'number')

/** Protection modes (rules H1). */
export const blockTypes = { shield: 1, code: 2, click: 3, redirect: 4, slider: 5 } as const
export type BlockMode = keyof typeof blockTypes
/** Legacy numbers are read and kept until edited (rules H2, gaps B-21). 5 has no twin. */
export const legacyBlockTypes: Record<number, number> = { 6: 1, 7: 2, 8: 3, 9: 4 }
/** What a new or edited rule may carry. */
export const BlockType = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)], 'required')
/** What a stored rule may carry. */
export const StoredBlockType = z.number().int().min(1).max(9)

/** enforce refuses; observe counts what it would have refused (DESIGN §5). */
export const RuleMode = z.enum(['enforce', 'observe'])
export type RuleMode = z.output<typeof RuleMode>

/** A moment: RFC 3339 or epoch seconds in, epoch milliseconds inside (gaps T-3). */
export const Moment = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = typeof value === 'number' || /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value)
  if (Number.isFinite(ms) && ms > 0 && ms < 4_102_444_800_000) return ms
  context.addIssue({ code: 'custom', message: 'wrongFormat' })
  return z.NEVER
})
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

/** Headers that frame or route a message, or steer our own hops; a customer may not set them (threat T13). */
export const reservedHeaders: readonly string[] = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'age',
  'date',
  'content-encoding',
  'content-range',
  'x-accel-expires',
  'x-accel-redirect',
  'x-accel-buffering',
  'x-accel-charset',
  'x-accel-limit-rate',
  'x-request-id',
  'x-cache',
]
export const isReservedHeader = (name: string): boolean =>
  reservedHeaders.includes(name.toLowerCase()) || name.toLowerCase().startsWith('x-breakwater-')
