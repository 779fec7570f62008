/** What the WAF needs from the node, and what it sees of a request in addition to what every guard sees. */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'

/** An expression for any text, and a compiled rule set. Opaque here. */
export type Pattern = { readonly __pattern: never }
export type WafRuleSet = { readonly __wafRules: never }

/** Many expressions that are searched at once. Opaque here. */
export type Database = { readonly __database: never }

/** Databases by name, and the gates whose expressions are in none of them (`gates.ts`). */
export type Prefilter = { databases: Record<string, Database>; refused: Record<string, boolean> }

/** A set of byte values. Opaque here. */
export type ByteSet = { readonly __byteSet: never }

/** A request's share of its worker, in CPU seconds of the thread. */
export type Turn = {
  /** When its share ends, and when it must let other requests run. */
  until: number
  sliceEnd: number
  /** The shortest of its slices. */
  slice: number
  began: number
  /** What other requests have used since it began. */
  ofOthers: number
}

/** An argument, a cookie, a header. */
export type Pair = { name: string; value: string }

/** A request as it was sent. */
export type WafFacts = {
  method: string
  /** The path with its query, as sent. */
  target: string
  /** `HTTP/1.1` */
  protocol: string
  /** The name of each header as sent and, at the same index, its value. */
  headerNames: string[]
  headerValues: string[]
  /** Whether the request has a body. */
  hasBody: boolean
}

/** @noSelf */
export interface PatternCompiler {
  /**
   * With PCRE's meaning in ModSecurity: a dot matches any byte, `^` and `$` match at lines. Throws on a syntax error.
   */
  pattern(source: string, ignoresCase: boolean): Pattern
  /** For `9,10,32-126`, all other bytes. Throws if the text contains no ranges. */
  bytesOutside(ranges: string): ByteSet
}

/**
 * Texts are bytes. The properties of a text that matter to transformations are encoded as bit flags.
 * @noSelf
 */
export interface WafTexts {
  transform(name: WafTransform, text: string): string
  flagsOf(text: string): number
  /** The flags of which a text must have at least one for the transformation to change it. */
  changedBy: Readonly<Record<WafTransform, number>>
  /** The flags of which a text must have at least one to be a script. */
  neededByScripts: number
  isUrlEncoded(text: string): boolean
  isUtf8(text: string): boolean
  holdsByte(text: string, set: ByteSet): boolean
}

/** @noSelf */
export interface WafMatching {
  texts: WafTexts
  /** 1 if it matches, 0 if not, −1 if it gave up. */
  search(pattern: Pattern, text: string): number
  /** The text of the whole match and of its groups; '' for a group that did not participate. */
  groups(pattern: Pattern, text: string): string[]
  /** The number of gates that the text may open, each returned by `candidate`, from 0; −1 if that is unknown. */
  candidates(database: Database, text: string): number
  candidate(at: number): number
  isSqlInjection(text: string): boolean
  isCrossSiteScripting(text: string): boolean
  /** Decodes JSON. Returns undefined if it is invalid. */
  decode(text: string): unknown
  /** Decodes strict JSON, not deeper than 64 levels. Returns undefined if it is invalid. */
  json(text: string): unknown
  /** Grants a request this many CPU seconds from now on. */
  beginTurn(seconds: number): Turn
  /** Whether it has used them up. Other requests may run before this returns. */
  isOver(turn: Turn): boolean
  /** CPU seconds that the request itself has used. */
  takenIn(turn: Turn): number
}

/** Rules, by number, whose matches are noted but never count. */
export type ObservedRules = Readonly<Record<number, true | undefined>>
export const noneObserved: ObservedRules = {}

/** The rule set that a zone uses in place of those that its sites name. */
export type ZoneRuleSet = { ruleSet: WafRuleSet; observed: ObservedRules }

/** @noSelf */
export interface ZoneRules {
  /** Returns undefined if the zone has none. */
  zoneRules(): ZoneRuleSet | undefined
}

/** A rule set that also runs on a request, beside the one that decides. `name` is its name in log rows. */
export type Shadow = { ruleSet: WafRuleSet; name: string }

/** A rule that matched: its score, and the name of the first value found, in a chain or among many. */
export type Match = { rule: number; score: number; name: string }

/** An exception for a rule of the set, or for all (0). */
export type Exception = {
  id: number
  rule: number
  action: 'off' | 'observe' | 'enforce'
  /** The beginning and end of the names of values: `ARGS` and `:id`, lower case. Absent for all. */
  target: { from: string; name: string } | undefined
}

/** How a request is inspected. */
export type Inspecting = {
  paranoia: number
  /** Those that apply to the request's URL and method. */
  exceptions: readonly Exception[]
  /** CPU seconds for the rules. */
  seconds: number
  /** CPU seconds for checking what disabled rules would have matched; 0: they are not checked. */
  asideSeconds: number
}

/** Why a request was not inspected completely. */
export type Excess = 'body' | 'time' | 'values' | 'malformed' | 'opaque'

export type Inspected = {
  matches: Match[]
  excess: Excess | undefined
  /** Ids of the exceptions that excluded a value which their rule would have matched. */
  applied: number[]
  /** Disabled rules that would have matched. */
  left: number[]
  /** CPU seconds that the rules took, and that checking disabled rules took. */
  taken: number
  asideTaken: number
}

/** What an inspection reads of a request. `body`: absent if there is none, or if it is not inspected. */
export type Sent = WafFacts & { body: string | undefined }

/** @noSelf */
export interface WafTools extends WafMatching, ZoneRules {
  facts(): WafFacts
  /** Whether the request has a body, judging by its head. */
  hasBody(): boolean
  /** CPU seconds that this request of a site may use, at most `max`. */
  allowance(site: number, max: number): number
  spent(site: number, seconds: number): void
  /**
   * Inspects a long request in a thread, so that the worker serves others meanwhile; charged to the site, or to the
   * shadow if that is undefined. Returns undefined if no thread is free: the request is then inspected here.
   */
  inspectBeside(site: number | undefined, ruleSet: WafRuleSet, sent: Sent, how: Inspecting): Inspected | undefined
  /** The zone's shadow rule set, if this request is in the sample and `max` CPU seconds are left for it. */
  shadow(max: number): Shadow | undefined
  spentOnShadow(seconds: number): void
}
