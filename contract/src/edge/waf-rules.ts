/**
 * A rule set of the WAF as nodes get it: SecLang compiled to data (`server/src/waf`). One object, which every site of an
 * installation shares. What a node cannot do is not in these lists, so the compiler refuses it with its line.
 */
import { z } from 'zod'

export const wafTransforms = [
  'base64Decode',
  'cmdLine',
  'compressWhitespace',
  'cssDecode',
  'escapeSeqDecode',
  'htmlEntityDecode',
  'jsDecode',
  'length',
  'lowercase',
  'normalizePath',
  'normalizePathWin',
  'removeCommentsChar',
  'removeNulls',
  'removeWhitespace',
  'replaceComments',
  'urlDecode',
  'urlDecodeUni',
  'utf8toUnicode',
] as const
export type WafTransform = (typeof wafTransforms)[number]

export const wafOperators = [
  'beginsWith',
  'contains',
  'detectSQLi',
  'detectXSS',
  'endsWith',
  'eq',
  'ge',
  'gt',
  'le',
  'lt',
  'pm',
  'rx',
  'streq',
  'validateByteRange',
  'validateUrlEncoding',
  'validateUtf8Encoding',
  'within',
] as const
export type WafOperator = (typeof wafOperators)[number]

/** Where values come from. `TX` holds what rules of the same request set; `XML` the texts, or the attributes, of a document. */
export const wafCollections = [
  'ARGS',
  'ARGS_COMBINED_SIZE',
  'ARGS_GET',
  'ARGS_GET_NAMES',
  'ARGS_NAMES',
  'FILES',
  'FILES_COMBINED_SIZE',
  'FILES_NAMES',
  'MATCHED_VAR',
  'MATCHED_VARS',
  'MATCHED_VARS_NAMES',
  'MULTIPART_PART_HEADERS',
  'QUERY_STRING',
  'REQBODY_PROCESSOR',
  'REQUEST_BASENAME',
  'REQUEST_BODY',
  'REQUEST_BODY_LENGTH',
  'REQUEST_COOKIES',
  'REQUEST_COOKIES_NAMES',
  'REQUEST_FILENAME',
  'REQUEST_HEADERS',
  'REQUEST_HEADERS_NAMES',
  'REQUEST_LINE',
  'REQUEST_METHOD',
  'REQUEST_PROTOCOL',
  'REQUEST_URI',
  'REQUEST_URI_RAW',
  'RESPONSE_BODY',
  'RESPONSE_HEADERS',
  'RESPONSE_STATUS',
  'TX',
  'XML',
] as const
export type WafCollection = (typeof wafCollections)[number]

export const WafTarget = z.strictObject({
  from: z.enum(wafCollections),
  /** One of the collection, lower case; or those that an expression matches. Absent for all. */
  name: z.string().max(256).optional(),
  pattern: z.string().max(1024).optional(),
  /** How many there are, in the place of the values. */
  count: z.boolean().optional(),
  /** These are left out. */
  except: z.boolean().optional(),
  /** Of what is left out: only where the rule of this id matched before. */
  ifMatched: z.number().int().min(1).optional(),
})
export type WafTarget = z.output<typeof WafTarget>

/** One condition. A rule matches where all of its conditions do, one after the other. */
export const WafCondition = z.strictObject({
  targets: z.array(WafTarget).max(100),
  transforms: z.array(z.enum(wafTransforms)).max(20),
  /** The value is looked at after each transformation, not only after the last. */
  multiMatch: z.boolean().optional(),
  operator: z.enum(wafOperators),
  negated: z.boolean().optional(),
  /** May hold places (`%{tx.1}`) where `isTemplate` says so. */
  argument: z.string().max(100_000),
  isTemplate: z.boolean().optional(),
  /** Of `pm`: what is looked for, lower case. */
  words: z.array(z.string().max(4096)).max(20_000).optional(),
  /** Groups of the expression go to `TX`. */
  capture: z.boolean().optional(),
  /** What each match sets in `TX`; both sides may hold places. */
  sets: z
    .array(z.strictObject({ name: z.string().max(256), value: z.string().max(1024) }))
    .max(20)
    .optional(),
  /** What each match adds to the score. */
  score: z.number().int().min(0).max(100).optional(),
})
export type WafCondition = z.output<typeof WafCondition>

export const WafRule = z.strictObject({
  id: z.number().int().min(1),
  /** The paranoia level from which on it is asked. */
  level: z.number().int().min(1).max(4),
  conditions: z.array(WafCondition).min(1).max(20),
  /** How many of the rules behind it are left out where it matches. */
  skip: z.number().int().min(1).optional(),
  /** It is not asked where one of these rules, which stand before it, matched. */
  unlessMatched: z.array(z.number().int().min(1)).max(500).optional(),
})
export type WafRule = z.output<typeof WafRule>

/** The part of kind `wafRules`, in the order in which rules are asked. */
export const WafRulesPart = z.strictObject({
  kind: z.literal('wafRules'),
  /** `OWASP CRS 3.3.4`. */
  name: z.string().max(128),
  rules: z.array(WafRule).max(2000),
})
export type WafRulesPart = z.output<typeof WafRulesPart>
