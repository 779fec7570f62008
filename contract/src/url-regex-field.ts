/** The field of a URL's expression, apart from the other fields: its check is long, and the sign-in page needs none of it. */
import { z } from 'zod'
import { urlCharsMax } from './fields.ts'
import { checkUrlRegex } from './url-regex.ts'

/** A regular expression over the canonical path, of the safe subset that every engine here reads alike. */
export const UrlRegex = z
  .string()
  .min(1, 'required')
  .max(urlCharsMax, 'charactersExceedLimit')
  .superRefine((value, context) => {
    const problem = checkUrlRegex(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
