/** What a Lua ACL rule does if its condition holds. */
import { z } from 'zod'
import { numberOf, wordOf } from '../../enumeration.ts'
import { blockTypes, HeaderName, HeaderValue, urlCharsMax } from '../../fields.ts'
import { ruleActions } from '../../firewall/rule-action.ts'
import { HeaderSide } from '../../header-side.ts'

export const aclActions = ['block', 'allow', 'challenge', 'limit', 'redirect', 'header', 'skip'] as const
export type AclActionName = (typeof aclActions)[number]

/** Guards that are evaluated after these rules, and that a rule can skip. */
export const aclSkippable = ['apiShield', 'waf', 'bodyRules'] as const

export const aclRedirectStatuses = {
  movedPermanently: 301,
  found: 302,
  seeOther: 303,
  temporaryRedirect: 307,
  permanentRedirect: 308,
} as const

export const aclRateMax = 10_000

const count = (least: number) => z.number().int('number').min(least, 'number').max(aclRateMax, 'number')

export const AclLimit = z.strictObject({
  rate: count(1).describe('Requests a second from one address; what exceeds it is answered with 429.'),
  burst: count(0).default(0).describe('Requests above the rate that still pass.'),
})

export const AclRedirect = z.strictObject({
  statusCode: numberOf('AclRedirectStatus', 'The status of the redirect', aclRedirectStatuses).default(302),
  target: z
    .string()
    .min(1, 'required')
    .max(urlCharsMax, 'charactersExceedLimit')
    .regex(/^(\/(?![/\\])|https?:\/\/[^/\\])[\x21-\x7e]*$|^\/$/, 'wrongFormat')
    .describe('A path, or a whole URL of http or https.'),
})

export const AclHeader = z.strictObject({
  type: HeaderSide.default('response').describe(
    'response sets it on the visitor’s answer, request on what the origin gets: such a request is not answered from the cache, and its answer is not stored.',
  ),
  key: HeaderName,
  value: HeaderValue.default('').describe('Empty removes the header.'),
})

/** The arguments of an action besides its name. Each is null, or empty, for other actions. */
export const aclActionFields = {
  action: wordOf(
    'AclAction',
    'block answers 403. challenge asks for one, unless the visitor has passed it. allow ends the rules, and neither the API shield, the WAF nor body rules are asked. limit answers 429 to an address that exceeds a rate, redirect sends visitors elsewhere, header sets a header of the answer or of the origin’s request, skip leaves out guards that are asked later; after limit, header and skip the next rules are asked.',
    aclActions,
  ),
  blockType: numberOf('AclBlockType', 'How a visitor is challenged; 0 for another action', ruleActions).default(0),
  limit: AclLimit.nullable().default(null),
  redirect: AclRedirect.nullable().default(null),
  header: AclHeader.nullable().default(null),
  skip: z
    .array(wordOf('AclSkipped', 'A guard that is asked after the rules.', aclSkippable))
    .max(aclSkippable.length, 'itemsExceedLimit')
    .refine((guards) => new Set(guards).size === guards.length, 'duplicatedData')
    .default([]),
}

const Actions = z.object(aclActionFields)
export type AclAction = z.output<typeof Actions>

/** An action without arguments: the basis of the others. */
export const plainAction: AclAction = {
  ...{ action: 'block', blockType: 0, limit: null, redirect: null, header: null, skip: [] },
}

/** An action must have its own arguments and no others. */
export function checkAction(given: AclAction, context: z.RefinementCtx): void {
  const has = {
    blockType: Object.values<number>(blockTypes).includes(given.blockType),
    limit: given.limit !== null,
    redirect: given.redirect !== null,
    header: given.header !== null,
    skip: given.skip.length > 0,
  }
  const wanted = given.action === 'challenge' ? 'blockType' : given.action
  for (const [field, isGiven] of Object.entries(has))
    if (isGiven !== (field === wanted))
      context.addIssue({ code: 'custom', message: isGiven ? 'wrongFormat' : 'required', path: [field] })
}
