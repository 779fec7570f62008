/** What a rule of the Lua ACL does where its condition holds. */
import { z } from 'zod'
import { numberOf, wordOf } from '../../enumeration.ts'
import { blockTypes, HeaderName, HeaderValue, urlCharsMax } from '../../fields.ts'
import { ruleActions } from '../../firewall/rule-action.ts'
import { HeaderSide } from '../../header-side.ts'

export const aclActions = ['block', 'allow', 'challenge', 'limit', 'redirect', 'header', 'skip'] as const
export type AclActionName = (typeof aclActions)[number]

/** Guards that are asked after the rules, and that a rule can leave out. */
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

/** What an action takes beside its name. Each is null, or empty, of another action. */
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

/** An action that takes nothing: what others change. */
export const plainAction: AclAction = {
  ...{ action: 'block', blockType: 0, limit: null, redirect: null, header: null, skip: [] },
}

/** What an action takes belongs to it, and no other has it. */
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
