/** The part of kind `luaAcls`: rules with conditions and actions, each as a flat program. */
import { z } from 'zod'
import { HeaderName, HeaderValue, urlCharsMax } from '../fields.ts'
import { distinct } from '../firewall/edge-rule-fields.ts'
import { aclActions, aclSkippable } from '../modules/acl/actions.ts'
import { aclFieldNames, aclOperators } from '../modules/acl/fields.ts'

/** Limits of what a node accepts, above what can be saved. */
const testsMax = 256
const rulesMax = 500

export const EdgeAclTest = z.strictObject({
  field: z.enum(aclFieldNames),
  /** The name of an argument, a header (lower case) or a cookie; else ''. */
  name: z.string().max(128),
  /** Never `ne`, which is `eq` with its jumps swapped. */
  operator: z.enum(aclOperators),
  values: z.array(z.string().max(urlCharsMax)).max(1000),
  /** Where to continue: an earlier test, counted from 1; 0 if the condition fails, −1 if it holds. */
  onTrue: z.number().int(),
  onFalse: z.number().int(),
})
export type EdgeAclTest = z.output<typeof EdgeAclTest>

export const EdgeAcl = z.strictObject({
  id: z.number().int(),
  mode: z.enum(['enforce', 'observe']),
  /** Epoch seconds at which it stops; absent for never. */
  expiresAt: z.number().int().nonnegative().optional(),
  action: z.enum(aclActions),
  /** 1 to 5: how a visitor is challenged; 0 for other actions. */
  blockType: z.number().int().min(0).max(5),
  /** Requests per second per address, and the burst allowed above that. */
  limit: z.strictObject({ rate: z.number().int().min(1), burst: z.number().int().nonnegative() }).optional(),
  redirect: z
    .strictObject({ statusCode: z.number().int().min(301).max(308), target: z.string().max(urlCharsMax) })
    .optional(),
  /** A response header unless `of` says otherwise; an empty value removes it. */
  header: z.strictObject({ key: HeaderName, value: HeaderValue, of: z.literal('request').optional() }).optional(),
  /** Guards that are skipped. */
  skip: z.array(z.enum(aclSkippable)).max(aclSkippable.length).optional(),
  /** Evaluation starts with the last test. */
  tests: z
    .array(EdgeAclTest)
    .min(1)
    .max(testsMax)
    .refine(
      (tests) => tests.every(({ onTrue, onFalse }, at) => [onTrue, onFalse].every((to) => to >= -1 && to <= at)),
      'a jump that leads nowhere',
    ),
})
export type EdgeAcl = z.output<typeof EdgeAcl>

/** One module; its rules are in evaluation order. */
export const LuaAclsPart = z.strictObject({
  kind: z.literal('luaAcls'),
  module: z.number().int(),
  rules: distinct(EdgeAcl, rulesMax),
})
export type LuaAclsPart = z.output<typeof LuaAclsPart>
