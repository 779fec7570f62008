/**
 * What a guard is. `compile` runs once for each artefact, `check` once for each request; both are pure, so the same
 * code decides in nginx, explains in the lab, and is tested in Node.
 */

import type { Cause } from '@breakwater/contract/edge/causes.ts'
import type { GuardName } from '@breakwater/contract/edge/guards.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { WafRuleSet, WafTools } from './waf-tools.ts'

/** What every guard sees of a request. Plain values: the same in nginx and in a simulation. */
export type EdgeRequest = {
  site: number
  method: string
  host: string
  /** Canonical: decoded, without dot segments and doubled slashes. */
  path: string
  /** What an origin may take the path for besides; absent where all origins read it alike (lib/request-target.ts). */
  otherPaths: readonly string[] | undefined
  /** As it was sent, without the question mark. */
  query: string
  /** The client address as 4 or 16 bytes. */
  addressBytes: string
  /** Epoch seconds. */
  time: number
  /** The first verdict of a rule in observe mode: logged, never enforced. */
  observed: Verdict | undefined
  /** The first rule that did something to a request that goes on: logged as one that lets pass is. */
  acted: Verdict | undefined
  /** The reputation of the address, 1 to 100; 0 where it has none, and before a guard asks for it. */
  score: number
  /** What the WAF found, whether or not it refuses: the score, and the rules as they are logged. */
  waf: { score: number; text: string } | undefined
  /** What the rule set in shadow would have made of it, as the row says it; absent where it was not asked. */
  wafShadow: string | undefined
  /** What of the request a verdict means, where a guard can tell: `query:limit`. Told by Explain alone. */
  detail: string | undefined
  /** Guards that a rule has left out; absent for none. */
  skipped: Partial<Record<GuardName, true>> | undefined
  /** Headers of the answer that rules have set; absent for none. */
  headers: { name: string; value: string }[] | undefined
  /** Headers of the origin's request that rules have set. Left out where none did: one field more would double the table. */
  originHeaders?: { name: string; value: string }[]
}

export type Action = 'allow' | 'block' | 'challenge' | 'answer' | 'drop' | 'redirect'

/** Who is banned for leaving challenges unsolved: five of those counted under the key within so many seconds. */
export type Ban = {
  key: string
  within: number
  /** For how long. */
  seconds: number
}

/** A guard's answer. What it says is what is answered and what is logged. */
export type Verdict = {
  action: Action
  guard: GuardName
  rule: number
  cause: Cause
  /** What the visitor gets. */
  status: number
  /** The protection mode of a challenge, else 0. */
  blockType: number
  /** What it leads to that a challenge stays unsolved; absent where to nothing. */
  ban?: Ban | undefined
  /** Where a redirect leads. */
  location?: string
}

/** A compiled regular expression and an address list: opaque to guards. */
export type Regex = { readonly __regex: never }
export type AddressList = { readonly __list: never }

/**
 * What `compile` may use. It throws where a rule cannot be compiled: the artefact is then refused with that reason.
 * @noSelf
 */
export interface CompileTools {
  regex(source: string): Regex
  /** One expression in the place of many, or nothing where they do not go together. */
  anyOf(sources: readonly string[]): Regex | undefined
  addressList(hash: string): AddressList
  /** The rule set of that name, compiled once for all sites. */
  wafRules(hash: string): WafRuleSet
}

/**
 * What `check` may use of the world around it.
 * @noSelf
 */
export interface Tools {
  matches(regex: Regex, text: string): boolean
  /** False only where an expression surely does not match; one that gives up may. */
  mayMatch(regex: Regex, text: string): boolean
  listed(list: AddressList, bytes: string): boolean
  /** `%xx` once, and `+` as a space; what is no escape stays as it is. Texts are bytes. */
  formDecoded(text: string): string
  /** A request header by its lower-case name, the first where it was sent twice. */
  header(name: string): string | undefined
  /** All values of a request header that was sent more than once, by its lower-case name; nothing of all others. */
  repeated(name: string): readonly string[] | undefined
  /** How many request headers came; 1000 for more than are worth counting. */
  headerCount(): number
  /** Takes one from a bucket; false where it is empty. */
  take(site: number, key: string, addressBytes: string, rate: number, burst: number): boolean
  /** Counts a request of an address; returns how many there were in a window of so many seconds, this one included. */
  count(site: number, key: string, addressBytes: string, seconds: number): number
  /** Whether the site has banned the address on this node. */
  isBanned(site: number, addressBytes: string): boolean
  /** Whether the site's traffic is taken for an attack at present. */
  isUnderAttack(site: number): boolean
  /** The address has passed a challenge: those that it left unsolved are forgotten. */
  solved(site: number, ban: Ban, addressBytes: string): void
  /** The number of the network (autonomous system) of an address; 0 where no data knows it. */
  asn(this: void, bytes: string): number
  /** The country of the client's address, ISO 3166-1 alpha-2; ZZ where no data knows it. */
  country(address: string): string
  /** How bad the reputation of an address is, 1 to 100; 0 where it has none. */
  reputation(addressBytes: string): number
  /** The verified bot that the client is, as the zone names it; nothing where it is none, or not known to be one yet. */
  bot(request: EdgeRequest): string | undefined
  /** `http` or `https`. */
  scheme(): string
  /** Whether the visitor holds the cookie of a passed challenge of this kind. */
  hasPassed(request: EdgeRequest, blockType: number): boolean
  /** Whether the request shows a key, a token or a signature of the site's edge authentication that is right for its URL. */
  hasShownKey(): boolean
  /** Judges what a challenge page sent back. */
  answer(request: EdgeRequest): Verdict
  /** The body up to `max` bytes; undefined where it is longer. */
  body(max: number): string | undefined
  /** Absent where a request is not known whole, as logged ones are not. */
  waf: WafTools | undefined
}

export type PartKind = Part['kind']

/**
 * `Takes` is the kind of part that holds what the guard needs, or `none` where it is the same for every site.
 * @noSelf
 */
export interface Guard<Compiled, Takes extends PartKind | 'none' = PartKind | 'none'> {
  name: GuardName
  takes: Takes
  phase: 'line' | 'headers' | 'body' | 'response'
  /** Returns nothing where the part gives this guard nothing to do. */
  compile(part: Extract<Part, { kind: Takes }>, tools: CompileTools): Compiled | undefined
  check(compiled: Compiled, request: EdgeRequest, tools: Tools): Verdict | undefined
}
