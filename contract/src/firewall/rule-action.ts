/** What rules that name requests by what they say of themselves do with them, and the expressions that they name them by. */
import { z } from 'zod'
import { numberOf } from '../enumeration.ts'
import { blockTypes, urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'

/** 0 refuses; the others are protection modes. */
export const ruleActions = { block: 0, ...blockTypes } as const

export const RuleAction = numberOf('RuleAction', 'What happens to such a request', ruleActions, 'required')

/** An expression over a value of the request, of the same safe subset as those over URLs; '' for none. */
export const ValueRegex = z
  .string()
  .max(urlCharsMax, 'charactersExceedLimit')
  .superRefine((value, context) => {
    const problem = value === '' ? undefined : checkUrlRegex(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
