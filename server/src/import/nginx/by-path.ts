/** The directives of a location, or of a whole server, that apply to a path: caching, bandwidth, access. */
import { IpList } from '@breakwater/contract/addresses.ts'
import type { BandwidthLimit } from '@breakwater/contract/delivery/bandwidth-limits.ts'
import type { CacheRule } from '@breakwater/contract/delivery/cache-rules.ts'
import type { IpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import type { z } from 'zod'
import type { Note } from '../draft.ts'
import type { Directive } from './tree.ts'
import { bytesOf, type Match, secondsOf, within } from './values.ts'

export type PathRules = {
  cacheRules: z.input<typeof CacheRule>[]
  bandwidthLimits: z.input<typeof BandwidthLimit>[]
  allowRules: z.input<typeof IpRule>[]
  denyRules: z.input<typeof IpRule>[]
}

export const noPathRules = (): PathRules => ({ cacheRules: [], bandwidthLimits: [], allowRules: [], denyRules: [] })

const names = [
  'expires',
  'proxy_cache_valid',
  'proxy_no_cache',
  'proxy_cache_bypass',
  'limit_rate',
  'limit_rate_after',
  'allow',
  'deny',
]
export const isByPath = ({ name }: Directive): boolean => names.includes(name)

const year = 31_536_000
const everyone = ['0.0.0.0/0', '::/0']

/** Adds the directives of a level to the rules. */
export function addPathRules(rules: PathRules, level: readonly Directive[], match: Match, note: Note): void {
  const urlRegex = 'urlRegex' in match ? match.urlRegex : undefined
  addCaching(rules, level, match, note)
  addBandwidth(rules, level, urlRegex, note)
  addAccess(
    rules,
    level.filter(({ name }) => name === 'allow' || name === 'deny'),
    urlRegex,
    note,
  )
}

/** How long responses are cached: by `proxy_cache_valid` for 200, otherwise by the browser cache time. */
function addCaching(rules: PathRules, level: readonly Directive[], match: Match, note: Note): void {
  let kept: { ttl: number; directive: Directive } | undefined
  for (const directive of level) {
    const { name, args } = directive
    if (name === 'proxy_no_cache' || name === 'proxy_cache_bypass') note('condition', directive)
    else if (name === 'proxy_cache_valid') {
      const statuses = args.slice(0, -1)
      const ttl = secondsOf(args.at(-1))
      if (ttl === undefined || !(statuses.length === 0 || statuses.includes('200') || statuses.includes('any')))
        note('value', directive)
      else kept = { ttl, directive }
    } else if (name === 'expires' && args[0] !== 'off') {
      const ttl = expiresOf(args)
      if (ttl === undefined) note('value', directive)
      else {
        // The directive tells browsers how long to cache; here the edge caches the response for that long.
        note('changed', directive)
        kept ??= { ttl, directive }
      }
    }
  }
  if (!kept) return
  const ttl = within(kept.ttl, 0, year)
  const rule = cacheRuleFor(match)
  if (rule) rules.cacheRules.push({ ...rule, ttl })
  else note('regex', kept.directive)
}

function expiresOf(args: readonly string[]): number | undefined {
  const text = args.filter((word) => word !== 'modified').join(' ')
  if (text === 'max') return year
  if (text === 'epoch' || text.startsWith('-')) return 0
  return secondsOf(text)
}

function cacheRuleFor(match: Match): Pick<z.input<typeof CacheRule>, 'type' | 'values'> | undefined {
  if (match.kind === 'extensions' && match.values.length > 0) return { type: 'extension', values: match.values }
  // An exact path is a prefix of few other paths.
  return match.kind === 'prefix' || match.kind === 'exact' ? { type: 'path', values: [match.path] } : undefined
}

function addBandwidth(rules: PathRules, level: readonly Directive[], urlRegex: string | undefined, note: Note): void {
  const of = (wanted: string) => level.findLast(({ name }) => name === wanted)
  const [limit, after] = [of('limit_rate'), of('limit_rate_after')]
  const rate = bytesOf(limit?.args[0])
  if (!limit || rate === 0) return
  if (rate === undefined || urlRegex === undefined) note(rate === undefined ? 'value' : 'regex', limit)
  else {
    if (rate < 1024) note('changed', limit)
    rules.bandwidthLimits.push({ urlRegex, rate: Math.max(rate, 1024), afterSize: bytesOf(after?.args[0]) ?? 0 })
  }
}

/**
 * In nginx the first match decides, while here an allow list always wins. So only deny lists are imported, and an allow
 * list followed by *deny all*; any other order is noted.
 */
function addAccess(rules: PathRules, level: readonly Directive[], urlRegex: string | undefined, note: Note): void {
  if (level.length === 0) return
  const isAll = ({ args }: Directive) => args[0] === 'all'
  const last = level.at(-1)!
  const listed = isAll(last) ? level.slice(0, -1) : level
  const of = (name: string) => listed.filter((directive) => directive.name === name)
  const ips = IpList.safeParse([...new Set(listed.map(({ args }) => args[0] ?? ''))])
  const closes = last.name === 'deny' && isAll(last)
  const isPlain = closes ? of('deny').length === 0 : of('allow').length === 0
  const isEmpty = listed.length === 0
  if (!isPlain || urlRegex === undefined || (!isEmpty && !ips.success)) {
    for (const directive of level) note('access', directive)
    return
  }
  const whole = urlRegex === '^/' ? '' : urlRegex
  const list = ips.success ? ips.data : []
  if (closes) {
    rules.denyRules.push({ urlRegex: whole, ips: everyone })
    if (isEmpty) return
    // Addresses on an allow list here skip every other guard, too.
    note('changed', last)
    rules.allowRules.push({ urlRegex: whole, ips: list })
  } else if (!isEmpty) rules.denyRules.push({ urlRegex: whole, ips: list })
}
