/**
 * Reads a zone exported from Cloudflare, with its rules, as the draft of one site with the hosts that its proxy served.
 */
import type { ImportNote } from '@breakwater/contract/import/site-import.ts'
import type { DraftBuilder, Place } from '../draft.ts'
import { addRedirect, newVhost } from '../vhost.ts'
import { type HostRules, isFor, readRules } from './rules.ts'
import { readZoneFile, type ZoneRecord } from './zone-file.ts'

const originsMax = 50

/** Throws a SourceError if either of the two cannot be read. */
export function readCloudflare(zone: string, rulesText: string, draft: DraftBuilder): void {
  const rules: HostRules =
    rulesText === '' ? { forced: [], redirects: [], cacheRules: [] } : readRules(rulesText, draft)
  const records = readZoneFile(zone)
  const notes: ImportNote[] = []
  const note = draft.noting(notes)
  // An export without information on which records were proxied is another program's zone file, or an old one.
  const saysProxied = records.some(({ comment }) => /cf-proxied:(true|false)/.test(comment))
  const served = records.filter((record) => {
    const isProxied = !saysProxied || /cf-proxied:true/.test(record.comment)
    if (record.type === 'SOA' || record.type === 'NS') note('byEdge', record)
    else if (!isWeb(record)) note('recordType', record)
    else if (!isProxied) note('notProxied', record)
    return isWeb(record) && isProxied
  })
  const all = Map.groupBy(records.filter(isWeb), ({ name }) => name)
  const byName = Map.groupBy(served, ({ name }) => name)
  const names = [...byName].flatMap(([name, of]) => draft.takeNames([name], of[0]!, note))
  const [first] = served
  if (!first || names.length === 0) {
    draft.notes.push(...notes)
    return
  }
  // The redirects of each host, validated like those of a server.
  const vhost = newVhost(first, notes, note)
  for (const { host, redirect, place } of rules.redirects) {
    const meant = names.filter((name) => isFor(host, name))
    if (meant.length === 0) note('serverName', place)
    for (const name of meant) addRedirect(vhost, redirect, place, name)
  }
  // A cache rule applies to all hosts of a site.
  for (const { host, place } of rules.cacheRules) if (!names.every((name) => isFor(host, name))) note('changed', place)
  const domains = names.map((name) => {
    const upstreams = originsOf(leadingTo(byName.get(name)!, all), (place) => note('tooMany', place))
    return { name, upstreams, status: 1 as const, forceSSL: rules.forced.some((host) => isFor(host, name)) }
  })
  const redirecting = names.filter((name) => vhost.redirects.has(name))
  const groups = Map.groupBy(redirecting, (name) => JSON.stringify(vhost.redirects.get(name)))
  draft.add(
    first.line,
    {
      siteName: apexOf(names),
      domains,
      cacheRules: rules.cacheRules.map(({ rule }) => rule),
      urlRedirects: [...groups.values()].map((same) => ({
        domains: same,
        items: vhost.redirects.get(same[0]!)!.map((redirect, index) => ({ ...redirect, priority: index + 1 })),
      })),
    },
    notes,
  )
}

const isWeb = ({ type }: ZoneRecord): boolean => /^(A|AAAA|CNAME)$/.test(type)

/** A name of the zone that an alias points to will itself point here: its own records are the origin. */
function leadingTo(records: ZoneRecord[], all: ReadonlyMap<string, ZoneRecord[]>): ZoneRecord[] {
  let found = records
  for (let hop = 0; hop < 8; hop++) {
    const next = found[0]?.type === 'CNAME' ? all.get(found[0].data[0] ?? '') : undefined
    if (!next) break
    found = next
  }
  return found
}

/** The zone itself is the shortest of its names. */
const apexOf = (names: readonly string[]): string =>
  names.map((name) => name.replace(/^\*\./, '')).reduce((best, name) => (name.length < best.length ? name : best))

/**
 * Whether the proxy used TLS to origins depended on the zone's mode, which no export contains. TLS is assumed; people
 * can try either port.
 */
function originsOf(records: readonly ZoneRecord[], cut: (place: Place) => void) {
  for (const record of records.slice(originsMax)) cut(record)
  return records.slice(0, originsMax).map(({ data }) => ({ ip: data[0] ?? '', port: 443, tls: true }))
}
