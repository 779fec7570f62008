/**
 * The WAF: asks the rules of a set about request line, arguments, headers, cookies and body, and refuses what scores too
 * much. A request that cannot be looked at whole passes or is refused as the site chose, and is noted either way.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { CompileTools, EdgeRequest, Guard, Regex, Tools, Verdict } from '../lib/guard.ts'
import { blocked, challenged } from './rule.ts'
import { evaluate, type Match } from './waf/evaluate.ts'
import { bodyKindOf, Inspection } from './waf/inspection.ts'
import type { CompiledRuleSet } from './waf/sieving.ts'

type EdgeWaf = Extract<Part, { kind: 'waf' }>

/** What holds for one rule of the set, or for all (0), at some URLs. */
export type Override = {
  id: number
  rule: number
  url: Regex | undefined
  methods: Record<string, boolean> | undefined
  action: 'off' | 'observe' | 'enforce'
  blockType: number
  /** The beginning and the end of what values are called: `ARGS` and `:id`, lower case. Absent for all. */
  target: { from: string; name: string } | undefined
  expiresAt: number
}

type Waf = {
  ruleSet: CompiledRuleSet
  module: number
  observe: boolean
  blockType: number
  paranoia: number
  threshold: number
  bodyBytes: number
  overBudget: 'block' | 'pass'
  overrides: Override[]
}

/** CPU seconds that one request may take. */
const timeMax = 0.05
/** How many matches a row tells of. */
const toldMax = 20

export function compileOverride(given: EdgeWaf['rules'][number], tools: CompileTools): Override {
  let methods: Record<string, boolean> | undefined
  if (given.methods.length > 0) {
    methods = {}
    for (const method of given.methods) methods[method] = true
  }
  const colon = given.target.indexOf(':')
  const from = given.target.substring(0, colon)
  return {
    ...{ id: given.id, rule: given.rule, action: given.action, blockType: given.blockType, methods },
    url: given.urlRegex === '' ? undefined : tools.regex(given.urlRegex),
    target:
      colon < 0 ? undefined : { from: collections[from] ?? '', name: given.target.substring(colon).toLowerCase() },
    expiresAt: given.expiresAt ?? Number.POSITIVE_INFINITY,
  }
}

/** How the collections begin whose values are arguments, cookies, headers and files. */
const collections: Record<string, string> = {
  arg: 'ARGS',
  cookie: 'REQUEST_COOKIES',
  header: 'REQUEST_HEADERS',
  file: 'FILES',
}

/** Whether it speaks of this URL and method: what switches a rule off must hold for every reading of the path. */
export function speaksOf(
  override: Override,
  request: Pick<EdgeRequest, 'time' | 'method' | 'path' | 'otherPaths'>,
  tools: Pick<Tools, 'matches'>,
): boolean {
  if (request.time >= override.expiresAt) return false
  if (override.methods !== undefined && override.methods[request.method] !== true) return false
  if (override.url === undefined) return true
  if (!tools.matches(override.url, request.path)) return false
  for (const path of request.otherPaths ?? []) if (!tools.matches(override.url, path)) return false
  return true
}

export const isOfRule = (override: Override, rule: number): boolean => override.rule === 0 || override.rule === rule

export function isOfTarget({ target }: Override, name: string): boolean {
  if (target === undefined) return true
  return name.startsWith(target.from) && name.toLowerCase().endsWith(target.name) && isWhole(name, target)
}

/** `ARGS:a:id` is not the argument `id`. */
const isWhole = (name: string, { name: of }: { name: string }): boolean => name.length - name.indexOf(':') === of.length

/** The body, where it is of a kind that is looked at. `isLong`: there is more of it than that. */
function bodyOf(waf: Waf, hasBody: boolean, tools: Tools): { body: string | undefined; isLong: boolean } {
  if (!hasBody || bodyKindOf(tools.header('content-type')) === undefined) return { body: undefined, isLong: false }
  const body = tools.body(waf.bodyBytes)
  return { body, isLong: body === undefined }
}

const thoseOf = (waf: Waf, request: EdgeRequest, tools: Tools): Override[] =>
  waf.overrides.filter((override) => speaksOf(override, request, tools))

type IsOff = (this: void, rule: number, name: string | undefined) => boolean

const never: IsOff = () => false

/** Whether a rule is not asked at all, or not of a value of this name. */
const offBy =
  (overrides: readonly Override[]): IsOff =>
  (rule, name) => {
    for (const override of overrides) {
      if (override.action !== 'off' || !isOfRule(override, rule)) continue
      if (override.target === undefined || (name !== undefined && isOfTarget(override, name))) return true
    }
    return false
  }

function check(waf: Waf, request: EdgeRequest, tools: Tools): Verdict | undefined {
  const around = tools.waf
  if (around === undefined) return undefined
  const overrides = waf.overrides.length === 0 ? waf.overrides : thoseOf(waf, request, tools)
  const isOff = overrides.length === 0 ? never : offBy(overrides)
  if (isOff(0, undefined)) return undefined
  const facts = around.facts()
  const { body, isLong } = bodyOf(waf, facts.hasBody, tools)
  const started = around.cpuTime()
  const { method, target, protocol, headers, hasBody } = facts
  const { decode } = around
  const { formDecoded } = tools
  const inspection = new Inspection({ method, target, protocol, headers, hasBody, body, decode, formDecoded })
  const found = evaluate(
    inspection,
    {
      ruleSet: (around.zoneRules() as unknown as CompiledRuleSet | undefined) ?? waf.ruleSet,
      paranoia: waf.paranoia,
      isOff,
      until: started + around.allowance(request.site, timeMax),
    },
    around,
  )
  around.spent(request.site, around.cpuTime() - started)
  const excess = isLong ? 'body' : found.isCut ? 'time' : inspection.excess()
  return judge(waf, request, overrides, found.matches, excess)
}

/** What the matches come to. */
function judge(
  waf: Waf,
  request: EdgeRequest,
  overrides: readonly Override[],
  matches: readonly Match[],
  excess: string | undefined,
): Verdict | undefined {
  let score = 0
  let worst: Match | undefined
  let enforced: Override | undefined
  for (const match of matches) {
    const override = overrideOf(overrides, match)
    if (override?.action === 'enforce' && enforced === undefined) {
      enforced = override
      worst = match
    }
    if (override?.action === 'observe') continue
    score += match.score
    if (worst === undefined || (enforced === undefined && match.score > worst.score)) worst = match
  }
  if (matches.length > 0 || excess !== undefined) request.waf = { score, text: told(matches, excess) }
  const isOver = score >= waf.threshold || enforced !== undefined
  if (!isOver && excess === undefined) return observedAlone(request, matches)
  const blockType = enforced?.blockType ?? (isOver ? waf.blockType : 0)
  const rule = isOver ? (worst?.rule ?? 0) : 0
  const verdict = blockType > 0 ? challenged('waf', rule, blockType) : blocked('waf', rule, causes.accessRule)
  if (!waf.observe && (isOver || waf.overBudget === 'block')) return verdict
  request.observed ??= verdict
  return undefined
}

/** Rules that matched and are only watched, or scored less than is refused, are noted as an observed rule is. */
function observedAlone(request: EdgeRequest, matches: readonly Match[]): undefined {
  const first = matches[0]
  if (first !== undefined) request.observed ??= blocked('waf', first.rule, causes.accessRule)
  return undefined
}

/** The first that says something else of a rule than the module does. */
function overrideOf(overrides: readonly Override[], match: Match): Override | undefined {
  for (const override of overrides)
    if (override.action !== 'off' && isOfRule(override, match.rule) && isOfTarget(override, match.name)) return override
  return undefined
}

/** `942100:5:ARGS:id`, apart by spaces; the names are a visitor's and keep harmless bytes alone. */
export function told(matches: readonly Match[], excess: string | undefined): string {
  const words: string[] = []
  for (const match of matches) {
    if (words.length >= toldMax) break
    words.push(`${match.rule}:${match.score}:${harmless(match.name)}`)
  }
  if (excess !== undefined) words.push(`budget:${excess}`)
  return words.join(' ')
}

const nameMax = 64

function harmless(name: string): string {
  let out = ''
  for (let at = 0; at < name.length && at < nameMax; at++) {
    const code = name.charCodeAt(at)
    out += code > 32 && code < 127 && code !== 34 && code !== 92 ? name.charAt(at) : '_'
  }
  return out
}

export const waf: Guard<Waf, 'waf'> = {
  name: 'waf',
  takes: 'waf',
  phase: 'body',
  compile: (part, tools) => ({
    ruleSet: tools.wafRules(part.ruleSet) as unknown as CompiledRuleSet,
    module: part.module,
    observe: part.mode === 'observe',
    ...{ blockType: part.blockType, paranoia: part.paranoia, threshold: part.threshold, bodyBytes: part.bodyBytes },
    overBudget: part.overBudget,
    overrides: part.rules.map((override) => compileOverride(override, tools)),
  }),
  check,
}
