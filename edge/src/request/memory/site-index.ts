/**
 * Which artefact serves which site, in shared memory: fixed-size entries only, written with `safe_set`, so that nothing
 * evicts them. A change raises one number, and every worker sees it with its next request.
 *
 *   s<site> → artefact hash    b<site> → the one before    x<site> → why it cannot be read
 *   h<host> → site    o<site> → its hosts    gen, drops, sequence, weight → numbers
 *   n:s, n:h, n:x → how many there are of these: listing ten thousand keys would hold up every worker
 */
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'

const dict = ngx.shared.sites!

function put(key: string, value: string | number): void {
  const [ok, problem] = dict.safe_set(key, value)
  if (ok !== true) throw new Error(`site index: ${problem}`)
}

type Counted = 's' | 'h' | 'x'

/** Sets a key of a kind that is counted. */
function add(kind: Counted, name: string | number, value: string | number): void {
  const key = `${kind}${name}`
  const [had] = dict.get(key)
  put(key, value)
  if (had === undefined) dict.incr(`n:${kind}`, 1, 0)
}

function take(kind: Counted, name: string | number): void {
  const key = `${kind}${name}`
  const [had] = dict.get(key)
  if (had === undefined) return
  dict.delete(key)
  dict.incr(`n:${kind}`, -1, 0)
}

/** The number of sites, of hosts, or of sites that cannot be read. */
export function count(kind: Counted): number {
  const [value] = dict.get(`n:${kind}`)
  return (value as number | undefined) ?? 0
}

/** The sites that cannot be read, with the reason. */
export function brokenSites(): { site: number; reason: string }[] {
  const found: { site: number; reason: string }[] = []
  if (count('x') === 0) return found
  for (const key of dict.get_keys(0)) {
    if (!key.startsWith('x')) continue
    const [reason] = dict.get(key)
    if (reason !== undefined) found.push({ site: tonumber(key.substring(1))!, reason: reason as string })
  }
  return found
}

/** Makes every worker check for changes. */
export function bumpGeneration(): void {
  dict.incr('gen', 1, 0)
}

/** A number that increases with every change. */
export function generation(): number {
  const [value] = dict.get('gen')
  return (value as number | undefined) ?? 0
}

/** How often a site was removed. */
export function drops(): number {
  const [value] = dict.get('drops')
  return (value as number | undefined) ?? 0
}

export function hashOf(site: number): string | undefined {
  const [value] = dict.get(`s${site}`)
  return value as string | undefined
}

/** The site's previous artefact: served if the new one cannot be read any more. */
export function previousHash(site: number): string | undefined {
  const [value] = dict.get(`b${site}`)
  return value as string | undefined
}

/**
 * Notes that a site's artefact cannot be read from disk; the agent queries this and repairs it. Cleared by the site's
 * next artefact.
 */
export function noteBroken(site: number, reason: string): void {
  const key = `x${site}`
  const [had] = dict.get(key)
  const [ok] = dict.safe_set(key, reason.substring(0, 300))
  if (ok === true && had === undefined) dict.incr('n:x', 1, 0)
}

export function siteOfHost(host: string): number | undefined {
  const [value] = dict.get(`h${host}`)
  return value as number | undefined
}

export function hostsOf(site: number): string[] {
  const [value] = dict.get(`o${site}`)
  return value === undefined || value === '' ? [] : (value as string).split(' ')
}

/**
 * Points a site at an artefact that was checked. Hosts that it no longer has are released, unless another site has them
 * now.
 */
export function setSite(entry: FeedEntry, hash: string): void {
  const before = hostsOf(entry.site)
  const old = hashOf(entry.site)
  if (old !== undefined && old !== hash) dict.safe_set(`b${entry.site}`, old)
  add('s', entry.site, hash)
  take('x', entry.site)
  put(`o${entry.site}`, entry.hosts.join(' '))
  for (const host of entry.hosts) add('h', host, entry.site)
  for (const host of before) if (!entry.hosts.includes(host)) release(host, entry.site)
  noteSequence(entry.sequence)
}

/** Removes a site. */
export function remove(entry: FeedEntry): void {
  for (const host of hostsOf(entry.site)) release(host, entry.site)
  take('s', entry.site)
  take('x', entry.site)
  for (const kind of ['b', 'o']) dict.delete(`${kind}${entry.site}`)
  dict.incr('drops', 1, 0)
  noteSequence(entry.sequence)
}

/** Notes how far the feed was applied. */
export function noteSequence(sequence: number): void {
  const [value] = dict.get('sequence')
  if (sequence > ((value as number | undefined) ?? 0)) put('sequence', sequence)
}

function release(host: string, site: number): void {
  if (siteOfHost(host) === site) take('h', host)
}

/** One row in this many requests is logged. */
export function sampling(): number {
  const [value] = dict.get('weight')
  return (value as number | undefined) ?? 1
}

export function setSampling(weight: number): void {
  put('weight', weight)
  bumpGeneration()
}
