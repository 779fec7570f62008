/** The action of rules that match a request by what it says about itself, and the expressions that they match with. */
import { z } from 'zod'
import { numberOf } from '../enumeration.ts'
import { blockTypes, urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'

/** 0 refuses; the others are protection modes. */
export const ruleActions = { block: 0, ...blockTypes } as const

export const RuleAction = numberOf('RuleAction', 'What happens to such a request', ruleActions, 'required')

/** A regular expression on a value of the request, in the same safe subset as those on URLs; '' for none. */
export const ValueRegex = z
  .string()
  .max(urlCharsMax, 'charactersExceedLimit')
  .superRefine((value, context) => {
    const problem = value === '' ? undefined : checkUrlRegex(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
