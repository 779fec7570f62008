/** A site's exceptions for single WAF rules or all: off, observe or enforce, for some URLs and values. */
import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { CompileTools, EdgeRequest, Regex, Tools } from '../../lib/guard.ts'
import type { Exception, Match } from '../../lib/waf-tools.ts'

type EdgeWaf = Extract<Part, { kind: 'waf' }>

/** An exception for one rule of the set, or for all (0), for some URLs. */
export type Override = Exception & {
  url: Regex | undefined
  methods: Record<string, boolean> | undefined
  blockType: number
  expiresAt: number
  /** Epoch seconds until which requests that it exempts entirely are not logged. */
  quietUntil: number
}

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
    quietUntil: 0,
  }
}

/** The beginnings of the collections with arguments, cookies, headers and files. */
const collections: Record<string, string> = {
  arg: 'ARGS',
  cookie: 'REQUEST_COOKIES',
  header: 'REQUEST_HEADERS',
  file: 'FILES',
}

/** Whether it applies to this URL and method: to switch a rule off, it must match every reading of the path. */
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

export const isOfRule = (override: Exception, rule: number): boolean => override.rule === 0 || override.rule === rule

export function isOfTarget({ target }: Exception, name: string): boolean {
  if (target === undefined) return true
  return name.startsWith(target.from) && name.toLowerCase().endsWith(target.name) && isWhole(name, target)
}

/** `ARGS:a:id` is not the argument `id`. */
const isWhole = (name: string, { name: of }: { name: string }): boolean => name.length - name.indexOf(':') === of.length

export type IsOff = (this: void, rule: number, name: string | undefined) => boolean

export const never: IsOff = () => false

/**
 * Whether a rule is disabled, or disabled for a value of this name. The latter is checked for values that the rule
 * would match: an exception that excludes one is added to `applied`.
 */
export const offBy =
  (exceptions: readonly Exception[], applied: number[]): IsOff =>
  (rule, name) => {
    for (const exception of exceptions) {
      if (exception.action !== 'off' || !isOfRule(exception, rule)) continue
      if (exception.target === undefined) return true
      if (name === undefined || !isOfTarget(exception, name)) continue
      noteApplied(applied, exception)
      return true
    }
    return false
  }

/** Adds an exception to those that affected a request, once. */
export function noteApplied(applied: number[], { id }: Exception): void {
  for (const one of applied) if (one === id) return
  applied.push(id)
}

/** The exception that disables a rule entirely; 0 for all rules. */
export function wholeOff(overrides: readonly Override[], rule: number): Override | undefined {
  for (const override of overrides)
    if (override.action === 'off' && override.target === undefined && isOfRule(override, rule)) return override
  return undefined
}

/** The first exception that gives a rule another action than the module does. */
export function overrideOf(overrides: readonly Override[], match: Match): Override | undefined {
  for (const override of overrides)
    if (override.action !== 'off' && isOfRule(override, match.rule) && isOfTarget(override, match.name)) return override
  return undefined
}
