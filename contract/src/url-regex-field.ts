/**
 * The field for a regular expression on URLs, separate from the other fields: its check is long, and the sign-in page
 * does not need it.
 */
import { z } from 'zod'
import { urlCharsMax } from './fields.ts'
import { checkUrlRegex } from './url-regex.ts'

/** A regular expression on the canonical path, in the safe subset that all engines here interpret alike. */
export const UrlRegex = z
  .string()
  .min(1, 'required')
  .max(urlCharsMax, 'charactersExceedLimit')
  .superRefine((value, context) => {
    const problem = checkUrlRegex(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
