/** What the WAF borrows from the node, and what it sees of a request beside what every guard sees. */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'

/** An expression over any text, and a compiled rule set: opaque here. */
export type Pattern = { readonly __pattern: never }
export type WafRuleSet = { readonly __wafRules: never }

/** Many expressions that are searched at once. Opaque here. */
export type Database = { readonly __database: never }

/** Databases by name, and the gates whose expressions are in none of a place (`gates.ts`). */
export type Prefilter = { databases: Record<string, Database>; refused: Record<string, boolean> }

/** Some of the 256 bytes. Opaque here. */
export type ByteSet = { readonly __byteSet: never }

/** What a request may take of its worker: CPU seconds of the thread. */
export type Turn = {
  /** Until when it may go on, and until when before others have their turn. */
  until: number
  sliceEnd: number
  /** The shortest of its slices. */
  slice: number
  began: number
  /** What others took since then. */
  ofOthers: number
}

/** An argument, a cookie, a header. */
export type Pair = { name: string; value: string }

/** A request as it came. */
export type WafFacts = {
  method: string
  /** The path with its query, as it was sent. */
  target: string
  /** `HTTP/1.1` */
  protocol: string
  /** Of each header its name as it was sent and, at the same place, its value. */
  headerNames: string[]
  headerValues: string[]
  /** Whether a body came with it. */
  hasBody: boolean
}

/** @noSelf */
export interface PatternCompiler {
  /** With PCRE's meaning in ModSecurity: a dot is any byte, `^` and `$` are of lines. Throws on a syntax error. */
  pattern(source: string, ignoresCase: boolean): Pattern
  /** Of `9,10,32-126` all other bytes. Throws where it says none. */
  bytesOutside(ranges: string): ByteSet
}

/**
 * Texts are bytes. What a text holds that transformations care for is a sum of flags.
 * @noSelf
 */
export interface WafTexts {
  transform(name: WafTransform, text: string): string
  flagsOf(text: string): number
  /** Of which flags a text must have one for the transformation to change it. */
  changedBy: Readonly<Record<WafTransform, number>>
  /** Of which flags a text must have one to be a script. */
  neededByScripts: number
  isUrlEncoded(text: string): boolean
  isUtf8(text: string): boolean
  holdsByte(text: string, set: ByteSet): boolean
}

/** @noSelf */
export interface WafMatching {
  texts: WafTexts
  /** 1 where it matches, 0 where not, −1 where it gave up. */
  search(pattern: Pattern, text: string): number
  /** What the whole match and its groups hold; '' for one that took no part. */
  groups(pattern: Pattern, text: string): string[]
  /** How many gates the text may open, each of which `candidate` tells, from 0; −1 where that could not be found out. */
  candidates(database: Database, text: string): number
  candidate(at: number): number
  isSqlInjection(text: string): boolean
  isCrossSiteScripting(text: string): boolean
  /** JSON that was read; nothing where it is none. */
  decode(text: string): unknown
  /** JSON to the letter, and not deeper than 64; nothing where it is none. */
  json(text: string): unknown
  /** A request may take so many CPU seconds from now on. */
  beginTurn(seconds: number): Turn
  /** Whether it has taken them. Others may have their turn before it says so. */
  isOver(turn: Turn): boolean
  /** CPU seconds that it has taken of its own. */
  takenIn(turn: Turn): number
}

/** Rules by their numbers that are noted where they match and never count. */
export type ObservedRules = Readonly<Record<number, true | undefined>>
export const noneObserved: ObservedRules = {}

/** What a zone asks in the place of what its sites name. */
export type ZoneRuleSet = { ruleSet: WafRuleSet; observed: ObservedRules }

/** @noSelf */
export interface ZoneRules {
  /** Nothing where the zone has none. */
  zoneRules(): ZoneRuleSet | undefined
}

/** A rule set that is asked beside the one that decides, about one request. `name` is what rows call it. */
export type Shadow = { ruleSet: WafRuleSet; name: string }

/** @noSelf */
export interface WafTools extends WafMatching, ZoneRules {
  facts(): WafFacts
  /** Whether a body came with the request, as far as its head tells. */
  hasBody(): boolean
  /** CPU seconds that this request of a site may take, `max` at most. */
  allowance(site: number, max: number): number
  spent(site: number, seconds: number): void
  /** The zone's rule set in shadow, where this request is one of those that are drawn and `max` CPU seconds are left for it. */
  shadow(max: number): Shadow | undefined
  spentOnShadow(seconds: number): void
}
