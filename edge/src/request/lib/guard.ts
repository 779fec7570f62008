/**
 * What a guard is. `compile` runs once per artefact, `check` once per request. Both are pure, so the same code decides
 * in nginx, explains in the lab, and is tested in Node.
 */

import type { Cause } from '@breakwater/contract/edge/causes.ts'
import type { GuardName } from '@breakwater/contract/edge/guards.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { WafRuleSet, WafTools } from './waf-tools.ts'

/** What every guard sees of a request. Plain values, the same in nginx and in a simulation. */
export type EdgeRequest = {
  site: number
  method: string
  host: string
  /** Canonical: decoded, without dot segments and doubled slashes. */
  path: string
  /**
   * Other ways in which an origin may read the path; undefined if all origins read it alike (lib/request-target.ts).
   */
  otherPaths: readonly string[] | undefined
  /** As sent, without the question mark. */
  query: string
  /** The client address as 4 or 16 bytes. */
  addressBytes: string
  /** Epoch seconds. */
  time: number
  /** The first verdict of a rule in observe mode: logged, never enforced. */
  observed: Verdict | undefined
  /** The first rule that changed something about a request that goes on: logged as a pass. */
  acted: Verdict | undefined
  /** The reputation score of the address, 1 to 100; 0 if it has none, or before a guard looks it up. */
  score: number
  /** What the WAF found, whether or not it refuses: the score, and the rules as in the log. */
  waf: { score: number; text: string } | undefined
  /** What the shadow rule set would have done, as in the log row; undefined if it was not run. */
  wafShadow: string | undefined
  /** The part of the request that a verdict is about, if the guard knows it: `query:limit`. Shown by Explain only. */
  detail: string | undefined
  /** Guards that a rule skips; undefined if there are none. */
  skipped: Partial<Record<GuardName, true>> | undefined
  /** Response headers that rules have set; undefined if there are none. */
  headers: { name: string; value: string }[] | undefined
  /**
   * Request headers for the origin that rules have set. Not in the initial literal: one more field would double the
   * table's size.
   */
  originHeaders?: { name: string; value: string }[]
}

export type Action = 'allow' | 'block' | 'challenge' | 'answer' | 'drop' | 'redirect'

/** When to ban a client for unsolved challenges: after five of those counted under the key within `within` seconds. */
export type Ban = {
  key: string
  within: number
  /** How long the ban lasts. */
  seconds: number
}

/** A guard's decision: it determines both the response and the log row. */
export type Verdict = {
  action: Action
  guard: GuardName
  rule: number
  cause: Cause
  /** The HTTP status for the visitor. */
  status: number
  /** The protection mode of a challenge, else 0. */
  blockType: number
  /** The ban that unsolved challenges lead to; absent if they lead to none. */
  ban?: Ban | undefined
  /** The target of a redirect. */
  location?: string
}

/** A compiled regular expression and an address list: opaque to guards. */
export type Regex = { readonly __regex: never }
export type AddressList = { readonly __list: never }

/**
 * What `compile` may use. It throws if a rule cannot be compiled: the artefact is then rejected with that reason.
 * @noSelf
 */
export interface CompileTools {
  regex(source: string): Regex
  /** One expression in place of many. Returns undefined if they cannot be combined. */
  anyOf(sources: readonly string[]): Regex | undefined
  addressList(hash: string): AddressList
  /** The rule set with that hash, compiled once for all sites. */
  wafRules(hash: string): WafRuleSet
}

/**
 * What `check` may use of the world around it.
 * @noSelf
 */
export interface Tools {
  matches(regex: Regex, text: string): boolean
  /** False only if an expression certainly does not match; one that gives up may match. */
  mayMatch(regex: Regex, text: string): boolean
  listed(list: AddressList, bytes: string): boolean
  /** Decodes `%xx` once, and `+` to a space; invalid escapes stay unchanged. Texts are bytes. */
  formDecoded(text: string): string
  /** A request header by its lower-case name; the first one if it was sent twice. */
  header(name: string): string | undefined
  /**
   * All values of a request header that was sent more than once, by its lower-case name; undefined for any other
   * header.
   */
  repeated(name: string): readonly string[] | undefined
  /** The number of request headers; 1000 if there are more than are counted. */
  headerCount(): number
  /** Takes one from a bucket. Returns false if there is no room. */
  take(site: number, key: string, addressBytes: string, rate: number, burst: number): boolean
  /** Counts a request from an address. Returns how many there were in a window of `seconds`, including this one. */
  count(site: number, key: string, addressBytes: string, seconds: number): number
  /** Whether the site has banned the address on this node. */
  isBanned(site: number, addressBytes: string): boolean
  /** Whether the site is currently considered under attack. */
  isUnderAttack(site: number): boolean
  /** The address has passed a challenge: resets its count of unsolved ones. */
  solved(site: number, ban: Ban, addressBytes: string): void
  /** The AS number of an address; 0 if it is unknown. */
  asn(this: void, bytes: string): number
  /** The country of the client's address, ISO 3166-1 alpha-2; ZZ if it is unknown. */
  country(address: string): string
  /** How bad the reputation of an address is, 1 to 100; 0 if it has none. */
  reputation(addressBytes: string): number
  /**
   * The verified bot that the client is, by its name in the zone. Returns undefined if it is none, or not verified yet.
   */
  bot(request: EdgeRequest): string | undefined
  /** `http` or `https`. */
  scheme(): string
  /** Whether the visitor has the cookie of a passed challenge of this mode. */
  hasPassed(request: EdgeRequest, blockType: number): boolean
  /**
   * Whether the request shows a key, token or signature of the site's edge authentication that is valid for its URL.
   */
  hasShownKey(): boolean
  /** Judges the answer that a challenge page sent. */
  answer(request: EdgeRequest): Verdict
  /** The body, up to `max` bytes; undefined if it is longer. */
  body(max: number): string | undefined
  /** Absent if the request is not completely known, as with logged ones. */
  waf: WafTools | undefined
}

export type PartKind = Part['kind']

/**
 * `Takes` is the kind of part that contains what the guard needs, or `none` if it is the same for every site.
 * @noSelf
 */
export interface Guard<Compiled, Takes extends PartKind | 'none' = PartKind | 'none'> {
  name: GuardName
  takes: Takes
  phase: 'line' | 'headers' | 'body' | 'response'
  /** Returns undefined if the part gives this guard nothing to do. */
  compile(part: Extract<Part, { kind: Takes }>, tools: CompileTools): Compiled | undefined
  check(compiled: Compiled, request: EdgeRequest, tools: Tools): Verdict | undefined
}
