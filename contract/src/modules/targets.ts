/** Targets of redirects and rewrites: texts with places that a request fills in. */
import { z } from 'zod'
import { urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'
import { groupsOf } from './redirect-match.ts'

/** `$1` to `$9` are the groups of the expression. */
const places = /\$(?:[1-9]|host\b|path\b|query\b)/g

/** Nothing else than the places may follow a dollar sign. `form` is what a target looks like. */
export const targetOf = (form: RegExp) =>
  z
    .string()
    .trim()
    .min(1, 'required')
    .max(urlCharsMax, 'charactersExceedLimit')
    .regex(form, 'wrongFormat')
    .refine((target) => !target.replaceAll(places, '').includes('$'), 'wrongFormat')

/** A group that the expression does not have is refused at the target. */
export function checkGroups(
  { urlRegex, target }: { urlRegex: string; target: string },
  context: z.RefinementCtx,
): void {
  // What is wrong with the expression is said at its own field, and it has no groups to count.
  if (checkUrlRegex(urlRegex) !== undefined) return
  const named = Math.max(0, ...[...target.matchAll(/\$([1-9])/g)].map(([, n]) => Number(n)))
  if (named > groupsOf(urlRegex)) context.addIssue({ code: 'custom', path: ['target'], message: 'unknownGroup' })
}
