/** The parts that are modules: each is shared by every domain bound to it. */
import { z } from 'zod'
import { HeaderName, HeaderValue, urlCharsMax } from '../fields.ts'
import { distinct, EdgeRegex, rulesMax } from '../firewall/edge-rule-fields.ts'
import { Hash } from '../hash.ts'
import { checkUrlRegex } from '../url-regex.ts'
import { SecretRef } from './secret-ref.ts'

export const EdgeHeader = z.object({
  id: z.number().int(),
  /** `response` changes what the visitor gets, `request` what the origin gets. */
  type: z.enum(['response', 'request']),
  key: HeaderName,
  /** Empty removes the header. */
  value: HeaderValue,
})
export type EdgeHeader = z.output<typeof EdgeHeader>

/** The part of kind `customHeaders`: one module, shared by every domain bound to it. */
export const CustomHeadersPart = z.object({
  kind: z.literal('customHeaders'),
  module: z.number().int(),
  headers: distinct(EdgeHeader, rulesMax),
})
export type CustomHeadersPart = z.output<typeof CustomHeadersPart>

export const EdgeRedirect = z.strictObject({
  id: z.number().int(),
  match: z.enum(['exact', 'prefix', 'regex']),
  /** A path, a path prefix, or a regular expression. */
  value: z.string().min(1).max(urlCharsMax),
  /** A path or URL with placeholders (`$1` … `$9`, `$host`, `$path`, `$query`). */
  target: z.string().min(1).max(urlCharsMax),
  status: z.number().int().min(301).max(308),
  /** Whether the request's query is added. */
  keepQuery: z.boolean(),
})
export type EdgeRedirect = z.output<typeof EdgeRedirect>

/** The part of kind `urlRedirects`: one module, its rules in evaluation order. */
export const UrlRedirectsPart = z.strictObject({
  kind: z.literal('urlRedirects'),
  module: z.number().int(),
  rules: distinct(
    EdgeRedirect.refine(
      ({ match, value }) => match !== 'regex' || checkUrlRegex(value) === undefined,
      'not a safe regular expression',
    ),
    rulesMax,
  ),
})
export type UrlRedirectsPart = z.output<typeof UrlRedirectsPart>

/** The part of kind `cors`: which other origins' pages may read the domain's responses. */
export const CorsPart = z.strictObject({
  kind: z.literal('cors'),
  module: z.number().int(),
  /** `*` for all, `https://*.example.com` for all names below it. */
  origins: z.array(z.string().min(1).max(300)).max(100),
  methods: z.array(z.string().max(32)).max(20),
  /** In lower or upper case, as given; `*` for whichever are requested. */
  headers: z.array(HeaderName).max(100),
  exposeHeaders: z.array(HeaderName).max(100),
  credentials: z.boolean(),
  /** Seconds. */
  maxAge: z.number().int().min(0).max(86_400),
})
export type CorsPart = z.output<typeof CorsPart>

export const EdgeRewrite = z.strictObject({
  id: z.number().int(),
  urlRegex: EdgeRegex,
  /** A path with placeholders (`$1` … `$9`, `$host`, `$path`, `$query`). */
  target: z.string().min(1).max(urlCharsMax),
})
export type EdgeRewrite = z.output<typeof EdgeRewrite>

/** The part of kind `proxyRewrites`: one module, its rules in evaluation order. */
export const ProxyRewritesPart = z.strictObject({
  kind: z.literal('proxyRewrites'),
  module: z.number().int(),
  rules: distinct(EdgeRewrite, rulesMax),
})
export type ProxyRewritesPart = z.output<typeof ProxyRewritesPart>

export const EdgeTokenAuth = z.strictObject({
  id: z.number().int(),
  urlRegex: EdgeRegex,
  kind: z.enum(['hmac', 'A', 'B', 'C', 'D']),
  /** Seconds. */
  ttl: z.number().int().min(1),
  /** The query parameter; empty for kinds that sign in the path. */
  parameter: z.string().max(32),
})
export type EdgeTokenAuth = z.output<typeof EdgeTokenAuth>

/** The part of kind `tokenAuths`: one module. Its keys are the secret: JSON, two keys per rule id. */
export const TokenAuthsPart = z.strictObject({
  kind: z.literal('tokenAuths'),
  module: z.number().int(),
  secret: SecretRef,
  rules: distinct(EdgeTokenAuth, rulesMax),
})
export type TokenAuthsPart = z.output<typeof TokenAuthsPart>

export const EdgeWafRule = z.strictObject({
  id: z.number().int(),
  /** The rule of the set that this is about; 0 for all. */
  rule: z.number().int().min(0),
  urlRegex: EdgeRegex,
  /** The methods that this is about; empty for all. */
  methods: z.array(z.string().max(32)).max(20),
  /** `off`: the rule is not evaluated. `observe`: it adds nothing to the score. `enforce`: it blocks on its own. */
  action: z.enum(['off', 'observe', 'enforce']),
  /** 1 to 5: how a visitor is challenged instead of blocked; 0 for no challenge. */
  blockType: z.number().int().min(0).max(5),
  /** The only value that this is about: `arg:name`, `cookie:name`, `header:name` or `file:name`; '' for all. */
  target: z.string().max(140),
  /** Epoch seconds at which it stops; absent for never. */
  expiresAt: z.number().int().nonnegative().optional(),
})
export type EdgeWafRule = z.output<typeof EdgeWafRule>

/** The part of kind `waf`: one module. */
export const WafPart = z.strictObject({
  kind: z.literal('waf'),
  module: z.number().int(),
  /** The part of kind `wafRules` that it evaluates. */
  ruleSet: Hash,
  /** The rules for responses of origins, also a part of kind `wafRules`. Absent for none. */
  responses: z.strictObject({ mode: z.enum(['enforce', 'observe']), ruleSet: Hash }).optional(),
  mode: z.enum(['enforce', 'observe']),
  /** 1 to 5: how a visitor is challenged instead of blocked; 0 for no challenge. */
  blockType: z.number().int().min(0).max(5),
  paranoia: z.number().int().min(1).max(4),
  /** The score from which a request is blocked. */
  threshold: z.number().int().min(1).max(1000),
  /** The most bytes of a body that are inspected. */
  bodyBytes: z.number().int().min(1).max(1_048_576),
  /** What happens to a request that cannot be inspected in full. */
  overBudget: z.enum(['block', 'pass']),
  rules: distinct(EdgeWafRule, rulesMax),
})
export type WafPart = z.output<typeof WafPart>
