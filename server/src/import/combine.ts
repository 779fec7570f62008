/** Combines another program's servers into sites: those that share a name, and those that redirect to each other. */
import type { ImportNote } from '@breakwater/contract/import/site-import.ts'
import type { DraftBuilder } from './draft.ts'
import type { Origins } from './nginx/origins.ts'
import { groupsOf, type Header } from './nginx/settings.ts'
import { hostOf, isWhole, type Redirect } from './nginx/targets.ts'
import type { Rewrite, Vhost } from './vhost.ts'

/** Adds the sites of these servers. */
export function addSites(vhosts: readonly Vhost[], draft: DraftBuilder): void {
  for (const together of componentsOf(vhosts)) addSite(together, draft)
}

const redirectsOf = ({ redirects }: Vhost, name: string): Redirect[] => [
  ...(redirects.get(name) ?? []),
  ...(redirects.get('') ?? []),
]

/** The hosts to which a server redirects every path. */
const leadsTo = (vhost: Vhost): string[] =>
  [...vhost.redirects.values()]
    .flat()
    .flatMap((redirect) => (redirect.urlRegex === '^/' ? [hostOf(redirect.target)] : []))

/** Servers in source order, grouped if they share a name or redirect to each other's names. */
function componentsOf(vhosts: readonly Vhost[]): Vhost[][] {
  const parent = vhosts.map((_, index) => index)
  const root = (index: number): number => {
    let at = index
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!
      at = parent[at]!
    }
    return at
  }
  const join = (one: number, two: number) => {
    const [first, second] = [root(one), root(two)].sort((a, b) => a - b)
    parent[second!] = first!
  }
  const byName = new Map<string, number>()
  for (const [index, { names }] of vhosts.entries()) {
    for (const name of names) {
      const other = byName.get(name)
      if (other === undefined) byName.set(name, index)
      else join(index, other)
    }
  }
  for (const [index, vhost] of vhosts.entries()) {
    if (vhost.origins) continue
    for (const host of leadsTo(vhost)) {
      const other = byName.get(host)
      if (other !== undefined) join(index, other)
    }
  }
  return [...Map.groupBy(vhosts.keys(), root).values()].map((indexes) => indexes.map((index) => vhosts[index]!))
}

function addSite(vhosts: readonly Vhost[], draft: DraftBuilder): void {
  const notes: ImportNote[] = vhosts.flatMap((vhost) => vhost.notes)
  const note = draft.noting(notes)
  // If there are several, visitors see the one that serves over TLS.
  const serving = vhosts.toSorted((a, b) => rank(b) - rank(a))
  const main = serving[0]!
  const names = vhosts.flatMap((vhost) => draft.takeNames(newNames(vhost, vhosts), vhost.place, note))
  if (names.length === 0) {
    if (vhosts.every((vhost) => vhost.names.length === 0)) note('serverName', main.place)
    draft.notes.push(...notes)
    return
  }
  const ofName = (name: string) => serving.filter((vhost) => vhost.names.includes(name))
  const fallback = main.origins
  const facts = names.map((name) => {
    const own = ofName(name)
    const first = own[0]!
    const redirects = own.flatMap((vhost) => redirectsOf(vhost, name)).filter((one) => isElsewhere(one, name))
    const origins = own.find((vhost) => vhost.origins)?.origins ?? fallback ?? originsOfTarget(redirects)
    if (!origins) note('origin', first.place)
    else if (!own.some((vhost) => vhost.origins) && !fallback) note('redirectOrigin', first.place)
    const isForced = own.some((vhost) => vhost.forced.has(name))
    return {
      name,
      origins,
      isForced,
      isOff: own.every(({ enabled }) => !enabled),
      redirects,
      rewrites: own.flatMap(({ rewrites }) => rewrites),
    }
  })
  const headers = serving.find(({ settings }) => settings.headers.length > 0)?.settings.headers ?? []
  draft.add(
    main.place.line,
    {
      siteName: names[0]!.replace(/^(\*|www)\./, ''),
      domains: facts.map(({ name, origins, isForced, isOff }) => ({
        name,
        upstreams: origins?.upstreams ?? [],
        balance: origins?.balance ?? 1,
        status: origins && !isOff && origins.upstreams.some(({ enabled = true }) => enabled) ? 1 : 0,
        ...(isForced && { forceSSL: true }),
      })),
      ...Object.assign({}, ...serving.toReversed().map(({ settings }) => groupsOf(settings))),
      cacheRules: vhosts.flatMap(({ rules }) => rules.cacheRules),
      bandwidthLimits: vhosts.flatMap(({ rules }) => rules.bandwidthLimits),
      allowRules: vhosts.flatMap(({ rules }) => rules.allowRules),
      denyRules: vhosts.flatMap(({ rules }) => rules.denyRules),
      urlRedirects: modules(facts.map(({ name, redirects }) => ({ name, items: ordered(redirects) }))),
      proxyRewrites: modules<Rewrite>(facts.map(({ name, rewrites }) => ({ name, items: ordered(rewrites) }))),
      customHeaders: modules<Header>(names.map((name) => ({ name, items: headers }))),
    },
    notes,
  )
}

/** A name that occurs twice within a group is one domain, not a conflict. */
const newNames = (vhost: Vhost, vhosts: readonly Vhost[]): string[] =>
  vhost.names.filter((name) => vhosts.find(({ names }) => names.includes(name)) === vhost)

const rank = (vhost: Vhost): number => (vhost.origins ? 4 : 0) + (vhost.tls ? 2 : 0) + (vhost.enabled ? 1 : 0)

/** A redirect of everything to the name itself would never end. */
const isElsewhere = (redirect: Redirect, name: string): boolean =>
  !(isWhole(redirect) && (hostOf(redirect.target) === name || hostOf(redirect.target) === '$host'))

/** A domain that only redirects still needs an origin, which is never used: the redirect's target. */
function originsOfTarget(redirects: readonly Redirect[]): Origins | undefined {
  const host = redirects.filter(({ urlRegex }) => urlRegex === '^/').map(({ target }) => hostOf(target))[0]
  if (!host || host === '$host') return undefined
  const tls = redirects.some(({ target }) => /^https:/i.test(target))
  return { upstreams: [{ ip: host, port: tls ? 443 : 80, tls }], balance: 1 }
}

/** Rules run in source order. A redirect of everything comes last, because no rule after it would run. */
function ordered<Rule extends { urlRegex: string; priority?: number | undefined }>(rules: readonly Rule[]): Rule[] {
  const last = rules.filter(({ urlRegex }) => urlRegex === '^/')
  const sorted = [...rules.filter(({ urlRegex }) => urlRegex !== '^/'), ...last]
  return sorted.map((rule, index) => ({ ...rule, priority: index + 1 }))
}

/** Domains with identical items share a module. */
function modules<Item>(of: readonly { name: string; items: Item[] }[]): { domains: string[]; items: Item[] }[] {
  const filled = of.filter(({ items }) => items.length > 0)
  return [...Map.groupBy(filled, ({ items }) => JSON.stringify(items)).values()].map((same) => ({
    domains: same.map(({ name }) => name),
    items: same[0]!.items,
  }))
}
