/** Cache rules as a part of a document, and what nodes get of them. */
import { type CacheRule, fileTypes } from '@breakwater/contract/delivery/cache-rules.ts'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { ruleLists } from '@breakwater/contract/index.ts'
import type { SavedRule } from '../publish/document.ts'
import { ruleListPart } from '../rules/rule-list-part.ts'

/** Older rules lack the newer fields. */
type Saved = Pick<CacheRule, 'type' | 'values' | 'ttl' | 'ignoreQuery'> & Partial<CacheRule>

/** What the rule matches: one of the four is filled. */
function subjectOf({ type, values }: Saved): Pick<EdgeCacheRule, 'prefixes' | 'extensions' | 'paths' | 'patterns'> {
  const none = { prefixes: [], extensions: [] }
  if (type === 'path') return { ...none, prefixes: values }
  if (type === 'exact') return { ...none, paths: values }
  if (type === 'regex') return { ...none, patterns: values }
  if (type !== 'extension') return { ...none, extensions: [...fileTypes[type]] }
  return { ...none, extensions: values.map((value) => value.replace(/^\./, '').toLowerCase()) }
}

const some = <T>(list: readonly T[] | undefined): list is T[] => list !== undefined && list.length > 0
const lower = (names: readonly string[] = []) => names.map((name) => name.toLowerCase())

/** The fields that differ from how rules worked before there was a choice. */
function choicesOf(rule: Saved): Partial<EdgeCacheRule> {
  const { query = 'all', queryNames = [], bypassCookies = [], bypassHeaders = [], bypassQuery = [] } = rule
  const { browserTtl, staleWhileRevalidate, staleIfError } = rule
  const bypass = { cookies: bypassCookies, headers: lower(bypassHeaders), query: bypassQuery }
  return {
    ...(browserTtl != null && { browserTtl }),
    ...(rule.origin === 'respect' && { respectsOrigin: true }),
    ...(query !== 'all' && { query: { only: query === 'only', names: queryNames } }),
    ...(some(rule.keyHeaders) && { keyHeaders: lower(rule.keyHeaders) }),
    ...(some(rule.keyCookies) && { keyCookies: rule.keyCookies }),
    ...(rule.keyDevice && { keyDevice: true }),
    ...(rule.methods?.includes('HEAD') === false && { skipsHead: true }),
    ...(some(rule.statuses) && { statuses: rule.statuses }),
    ...(staleWhileRevalidate != null && { staleWhileRevalidate }),
    ...(staleIfError != null && { staleIfError }),
    ...(Object.values(bypass).some((names) => names.length > 0) && { bypass }),
  }
}

function cacheRule(rule: SavedRule): EdgeCacheRule {
  const body = rule.body as Saved
  const { ttl, ignoreQuery, forSignedIn } = body
  return {
    id: rule.id,
    ...subjectOf(body),
    ttl,
    ignoreQuery,
    ...(forSignedIn !== undefined && { forSignedIn }),
    ...choicesOf(body),
    ...(body.slice && { slice: true }),
  }
}

/** An older node would ignore the conditions of such a rule, or the rule itself. */
const needsFields = (rule: SavedRule): boolean => {
  const body = rule.body as Saved
  return body.type === 'exact' || body.type === 'regex' || Object.keys(choicesOf(body)).length > 0
}

/** An older node would store the whole object. */
const slices = (rule: SavedRule): boolean => (rule.body as Saved).slice === true

const part = ruleListPart(ruleLists.cacheRules, (rules, out) => out.set('cache', { rules: rules.map(cacheRule) }))

export const cacheRulesPart: typeof part = {
  ...part,
  requires: ({ rules }) => {
    const enabled = rules.filter((rule) => rule.enabled)
    return [
      ...(enabled.some(needsFields) ? (['cacheFields'] as const) : []),
      ...(enabled.some(slices) ? (['slices'] as const) : []),
    ]
  },
}
