/**
 * A WAF rule set as nodes get it: SecLang compiled to data (`server/src/waf`). One object, shared by all sites of an
 * installation. What nodes do not support is missing from these lists, so the compiler rejects it with its line.
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

/**
 * Where values come from. `TX` holds what rules set during the same request; `XML` the texts, or the attributes, of a
 * document.
 */
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
  /** One item of the collection, lower case; or those that a regular expression matches. Absent for all. */
  name: z.string().max(256).optional(),
  pattern: z.string().max(1024).optional(),
  /** The number of items instead of their values. */
  count: z.boolean().optional(),
  /** These are excluded. */
  except: z.boolean().optional(),
  /** For an exclusion: only if the rule with this id matched before. */
  ifMatched: z.number().int().min(1).optional(),
})
export type WafTarget = z.output<typeof WafTarget>

/** One condition. A rule matches if all of its conditions do, one after the other. */
export const WafCondition = z.strictObject({
  targets: z.array(WafTarget).max(100),
  transforms: z.array(z.enum(wafTransforms)).max(20),
  /** The value is tested after each transformation, not only after the last. */
  multiMatch: z.boolean().optional(),
  operator: z.enum(wafOperators),
  negated: z.boolean().optional(),
  /** May contain placeholders (`%{tx.1}`) if `isTemplate` is set. */
  argument: z.string().max(100_000),
  isTemplate: z.boolean().optional(),
  /** For `pm`: the words to look for, lower case. */
  words: z.array(z.string().max(4096)).max(20_000).optional(),
  /** Capture groups of the regular expression are stored in `TX`. */
  capture: z.boolean().optional(),
  /** What each match sets in `TX`; both sides may contain placeholders. */
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
  /** The paranoia level from which the rule is evaluated. */
  level: z.number().int().min(1).max(4),
  conditions: z.array(WafCondition).min(1).max(20),
  /** How many of the following rules are skipped if it matches. */
  skip: z.number().int().min(1).optional(),
  /** The rule is skipped if one of these earlier rules matched. */
  unlessMatched: z.array(z.number().int().min(1)).max(500).optional(),
})
export type WafRule = z.output<typeof WafRule>

/** The part of kind `wafRules`, its rules in evaluation order. */
export const WafRulesPart = z.strictObject({
  kind: z.literal('wafRules'),
  /** For example `OWASP CRS 3.3.4`. */
  name: z.string().max(128),
  rules: z.array(WafRule).max(2000),
})
export type WafRulesPart = z.output<typeof WafRulesPart>
