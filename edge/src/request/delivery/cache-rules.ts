/** Cache rules: how long the objects under a path, or with an extension, are kept. Prefixes are tried first. */
import type { EdgeCacheRule } from '@breakwater/contract/edge/artefact.ts'

export type CacheChoice = { id: number; ttl: number; ignoreQuery: boolean }
export type CacheRules = {
  prefixes: { prefix: string; choice: CacheChoice }[]
  extensions: Record<string, CacheChoice>
}

/** Nothing where a site has no rules. Of rules that name one extension the first counts. */
export function compileCacheRules(rules: readonly EdgeCacheRule[]): CacheRules | undefined {
  if (rules.length === 0) return undefined
  const compiled: CacheRules = { prefixes: [], extensions: {} }
  for (const rule of rules) {
    const choice = { id: rule.id, ttl: rule.ttl, ignoreQuery: rule.ignoreQuery }
    for (const prefix of rule.prefixes) compiled.prefixes.push({ prefix, choice })
    for (const extension of rule.extensions) {
      const name = extension.toLowerCase()
      if (compiled.extensions[name] === undefined) compiled.extensions[name] = choice
    }
  }
  return compiled
}

const dot = 46
const slash = 47

/** The extension of a path, lower case, or ''. */
export function extensionOf(path: string): string {
  for (let at = path.length - 1; at >= 0 && at > path.length - 12; at--) {
    const code = path.charCodeAt(at)
    if (code === slash) return ''
    if (code === dot) return path.substring(at + 1).toLowerCase()
  }
  return ''
}

/** The rule that speaks about a path, or nothing: then the origin alone decides. */
export function cacheChoice(rules: CacheRules, path: string): CacheChoice | undefined {
  for (const { prefix, choice } of rules.prefixes) if (path.startsWith(prefix)) return choice
  const extension = extensionOf(path)
  return extension === '' ? undefined : rules.extensions[extension]
}
