/** Targets of redirects and rewrites: texts with placeholders that are filled in for each request. */
import { z } from 'zod'
import { urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'
import { groupsOf } from './redirect-match.ts'

/** `$1` to `$9` are the groups of the expression. */
const places = /\$(?:[1-9]|host\b|path\b|query\b)/g

/** Only placeholders may follow a dollar sign. `form` is the allowed form of a target. */
export const targetOf = (form: RegExp) =>
  z
    .string()
    .trim()
    .min(1, 'required')
    .max(urlCharsMax, 'charactersExceedLimit')
    .regex(form, 'wrongFormat')
    .refine((target) => !target.replaceAll(places, '').includes('$'), 'wrongFormat')

/** A reference to a group that the expression does not have is a validation error of the target. */
export function checkGroups(
  { urlRegex, target }: { urlRegex: string; target: string },
  context: z.RefinementCtx,
): void {
  // An invalid expression is reported on its own field, and has no groups to count.
  if (checkUrlRegex(urlRegex) !== undefined) return
  const named = Math.max(0, ...[...target.matchAll(/\$([1-9])/g)].map(([, n]) => Number(n)))
  if (named > groupsOf(urlRegex)) context.addIssue({ code: 'custom', path: ['target'], message: 'unknownGroup' })
}
