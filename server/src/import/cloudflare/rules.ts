/** Page rules and redirect rules, as returned by Cloudflare's API. */
import type { CacheRule } from '@breakwater/contract/delivery/cache-rules.ts'
import { z } from 'zod'
import { type DraftBuilder, type Note, type Place, SourceError } from '../draft.ts'
import { hostOf, isRedirect, type Redirect } from '../nginx/targets.ts'
import { escaped, within } from '../nginx/values.ts'

/** What rules say about a zone's hosts; a host that begins with `*.` applies to all that match. */
export type HostRules = {
  forced: string[]
  redirects: { host: string; redirect: Redirect; place: Place }[]
  cacheRules: { host: string; rule: z.input<typeof CacheRule>; place: Place }[]
}

const Action = z.object({ id: z.string(), value: z.unknown().optional() })
const PageRule = z.object({
  targets: z.array(z.object({ constraint: z.object({ value: z.string().max(2048) }) })).min(1),
  actions: z.array(Action).max(100),
  status: z.string().default('active'),
})
const RedirectRule = z.object({
  action: z.literal('redirect'),
  expression: z.string().max(4096),
  enabled: z.boolean().default(true),
  action_parameters: z.object({
    from_value: z.object({
      status_code: z.number().default(301),
      preserve_query_string: z.boolean().default(false),
      target_url: z.object({ value: z.string().max(2048).optional(), expression: z.string().max(2048).optional() }),
    }),
  }),
})

const rulesMax = 5000
const cacheMax = 31_536_000

/** Throws a SourceError if the text is not JSON with such rules. */
export function readRules(text: string, draft: DraftBuilder): HostRules {
  const rules: HostRules = { forced: [], redirects: [], cacheRules: [] }
  const note = draft.noting()
  for (const [index, item] of itemsOf(text).slice(0, rulesMax).entries()) {
    const place = { line: index + 1, text: JSON.stringify(item) ?? '' }
    const page = PageRule.safeParse(item)
    const redirect = RedirectRule.safeParse(item)
    if (page.success) addPageRule(rules, page.data, place, note)
    else if (redirect.success) addRedirectRule(rules, redirect.data, place, note)
    else note('rule', place)
  }
  return rules
}

/** Accepts a list, the response of an API call, or a rule set. */
function itemsOf(text: string): unknown[] {
  const place = { line: 1, text: text.slice(0, 200) }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SourceError(place)
  }
  for (const name of ['result', 'rules']) {
    if (value !== null && typeof value === 'object' && name in value) value = (value as Record<string, unknown>)[name]
  }
  if (!Array.isArray(value)) throw new SourceError(place)
  return value
}

/** Parses `*example.com/old/*` into the host and a regex for its path, with a group for each star. */
function patternOf(
  value: string,
): { host: string; urlRegex: string; prefix: string | undefined; groups: number } | undefined {
  const [, stars = '', host = '', path = '/*'] = /^(?:https?:\/\/)?(\*?\.?)([^/*]+)(\/.*)?$/.exec(value) ?? []
  if (host === '') return undefined
  const parts = path.split('*')
  const isPrefix = parts.length === 2 && parts[1] === ''
  return {
    host: stars === '' ? host : `*.${host}`,
    urlRegex: `^${parts.map(escaped).join('(.*)')}${isPrefix ? '' : '$'}`.replace(/\(\.\*\)$/, '(.*)$'),
    prefix: isPrefix ? parts[0] : undefined,
    groups: parts.length - 1 + (stars === '' ? 0 : 1),
  }
}

function addPageRule(rules: HostRules, rule: z.output<typeof PageRule>, place: Place, note: Note) {
  if (rule.status !== 'active') return note('disabled', place)
  const written = rule.targets[0]!.constraint.value
  const pattern = patternOf(written)
  if (!pattern) return note('rule', place)
  const of = (id: string) => rule.actions.find((action) => action.id === id)
  for (const action of rule.actions) {
    if (action.id === 'always_use_https') rules.forced.push(pattern.host)
    else if (action.id === 'forwarding_url') addForwarding(rules, action.value, pattern, place, note)
    else if (action.id === 'edge_cache_ttl') {
      const ttl = Number(action.value)
      if (pattern.prefix === undefined || !Number.isInteger(ttl)) note('rule', place)
      else addCaching(rules, pattern.host, pattern.prefix, within(ttl, 0, cacheMax), place)
    } else if (action.id === 'cache_level' && action.value === 'bypass' && pattern.prefix !== undefined)
      addCaching(rules, pattern.host, pattern.prefix, 0, place)
    else if (action.id !== 'cache_level' || action.value !== 'cache_everything' || !of('edge_cache_ttl'))
      note('rule', place)
  }
}

function addCaching({ cacheRules }: HostRules, host: string, prefix: string, ttl: number, place: Place) {
  cacheRules.push({ host, rule: { type: 'path', values: [prefix], ttl }, place })
}

type Pattern = NonNullable<ReturnType<typeof patternOf>>

function addForwarding(rules: HostRules, value: unknown, pattern: Pattern, place: Place, note: Note) {
  const found = z.object({ url: z.string().max(2048), status_code: z.number() }).safeParse(value)
  if (!found.success || !isRedirect(found.data.status_code)) return note('rule', place)
  const { url, status_code: statusCode } = found.data
  // The first star of the pattern is the one before the host, which a path's regex does not have.
  const isShifted = pattern.host.startsWith('*.')
  const target = isShifted ? url.replaceAll(/\$([1-9])/g, (_, n: string) => `$${Number(n) - 1}`) : url
  if (target.includes('$0')) return note('variable', place)
  rules.redirects.push({ host: pattern.host, redirect: { urlRegex: pattern.urlRegex, target, statusCode }, place })
}

/** Reads `(http.host eq "a" and http.request.uri.path eq "/b")`; any other expression is noted. */
function addRedirectRule(rules: HostRules, rule: z.output<typeof RedirectRule>, place: Place, note: Note) {
  if (!rule.enabled) return note('disabled', place)
  const {
    status_code: statusCode,
    preserve_query_string: keepQuery,
    target_url: to,
  } = rule.action_parameters.from_value
  const terms = rule.expression
    .replace(/^\(|\)$/g, '')
    .split(' and ')
    .map((term) => term.trim())
  const read = (field: string, operator: string) =>
    terms
      .map((term) => new RegExp(`^${field} ${operator} "([^"]*)"$`).exec(term)?.[1])
      .find((found) => found !== undefined)
  const host = read('http\\.host', 'eq')
  const exact = read('http\\.request\\.uri\\.path', 'eq')
  const startsWith = terms
    .map((term) => /^starts_with\(http\.request\.uri\.path, "([^"]*)"\)$/.exec(term)?.[1])
    .find((found) => found)
  const known = [host, exact, startsWith].filter((found) => found !== undefined).length
  const moved = /^concat\("(https?:\/\/[^"/]+)", http\.request\.uri\.path\)$/.exec(to.expression ?? '')?.[1]
  const target = to.value ?? (moved && `${moved}$path`)
  if (!host || known !== terms.length || !target || !isRedirect(statusCode)) return note('rule', place)
  const urlRegex = exact === undefined ? `^${escaped(startsWith ?? '/')}` : `^${escaped(exact)}$`
  if (hostOf(target) === host && urlRegex === '^/') rules.forced.push(host)
  else rules.redirects.push({ host, redirect: { urlRegex, target, statusCode, keepQuery }, place })
}

/** Whether the host of a rule matches a name. */
export const isFor = (host: string, name: string): boolean =>
  host.startsWith('*.') ? name === host.slice(2) || name.endsWith(host.slice(1)) : host === name
