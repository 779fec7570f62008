/** Proxy rewrites of a domain: the URL requested from the origin in place of the visitor's. Pure. */
import type { EdgeRewrite } from '@breakwater/contract/edge/module-parts.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'
import { fillTarget, type Visit } from './targets.ts'

type Rule = { id: number; source: string; regex: Regex; target: string }

export type Rewrites = { rules: Rule[]; any: Regex | undefined }

export function compileRewrites(given: readonly EdgeRewrite[], tools: CompileTools): Rewrites {
  const rules = given.map(({ id, urlRegex, target }) => ({
    ...{ id, source: urlRegex, target },
    regex: tools.regex(urlRegex),
  }))
  return { rules, any: rules.length > 1 ? tools.anyOf(rules.map(({ source }) => source)) : undefined }
}

/** Returns the first rule that matches, or undefined. */
export function findRewrite(
  { rules, any }: Rewrites,
  path: string,
  tools: Pick<Tools, 'matches' | 'mayMatch'>,
): Rule | undefined {
  if (any !== undefined && !tools.mayMatch(any, path)) return undefined
  for (const rule of rules) if (tools.matches(rule.regex, path)) return rule
  return undefined
}

/** Path and query for the origin. `groups` are the capture groups of the expression. */
export function rewritten(target: string, visit: Visit, groups: readonly (string | undefined)[]): string {
  const text = fillTarget(target, visit, groups)
  if (visit.query === '' || target.indexOf('?') >= 0) return text
  return `${text}?${visit.query}`
}
