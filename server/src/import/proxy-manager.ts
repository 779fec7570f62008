/** Reads the SQLite database of Nginx Proxy Manager as a draft of sites. Keys and passwords are not read. */
import { DatabaseSync } from 'node:sqlite'
import type { ImportReason } from '@breakwater/contract/import/site-import.ts'
import { addSites } from './combine.ts'
import { type DraftBuilder, type Place, SourceError } from './draft.ts'
import type { Origins } from './nginx/origins.ts'
import { readTree } from './nginx/tree.ts'
import { addDirectives } from './nginx/vhosts.ts'
import { addRedirect, newVhost, type Vhost } from './vhost.ts'

type Row = Record<string, unknown>

const rowsMax = 10_000

/** The files that its nginx caches for half an hour if *Cache Assets* is on. */
const assets = [
  ...['css', 'js', 'jpg', 'jpeg', 'gif', 'png', 'ico', 'svg', 'eot', 'otf', 'ttf', 'woff', 'woff2', 'webp', 'avif'],
  ...['mp3', 'mp4', 'ogg', 'webm', 'pdf', 'zip', 'gz', 'map'],
]

/** Throws a SourceError if the file is not such a database. */
export function readProxyManager(path: string, draft: DraftBuilder): void {
  const database = open(path)
  try {
    const proxies = rowsOf(database, 'proxy_host')
    const redirections = rowsOf(database, 'redirection_host')
    if (!proxies && !redirections) throw new SourceError({ line: 0, text: 'proxy_host' })
    const vhosts = [
      ...(proxies ?? []).map((row) => proxyHost(row, draft)),
      ...(redirections ?? []).map((row) => redirectionHost(row, draft)),
    ]
    addSites(
      vhosts.filter((vhost) => vhost !== undefined),
      draft,
    )
    noteRest(database, draft)
  } finally {
    database.close()
  }
}

function open(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path, {
      readOnly: true,
      allowExtension: false,
      enableDoubleQuotedStringLiterals: false,
    })
    // Protects against code in the file's own schema and against corrupt pages.
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0')
    return database
  } catch {
    throw new SourceError({ line: 0, text: 'SQLite' })
  }
}

/**
 * The rows of a plain table; undefined if it does not exist. A view or a generated column would run somebody else's
 * code.
 */
function rowsOf(database: DatabaseSync, table: string): Row[] | undefined {
  try {
    const found = database.prepare('select type, sql from sqlite_schema where name = ?').get(table) as Row | undefined
    if (!found) return undefined
    const sql = String(found.sql)
    if (found.type !== 'table' || /\bvirtual\b|\bgenerated\b|\bas\s*\(/i.test(sql))
      throw new SourceError({ line: 0, text: table })
    const rows = database.prepare(`select * from ${table} order by rowid limit ${rowsMax}`)
    rows.setReadBigInts(false)
    return rows.all() as Row[]
  } catch {
    throw new SourceError({ line: 0, text: table })
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 1_000_000) : '')
const isSet = (value: unknown): boolean => value === 1 || value === true
const idOf = (row: Row): number => (Number.isInteger(row.id) ? Number(row.id) : 0)

function listOf(value: unknown): unknown[] {
  try {
    const list: unknown = JSON.parse(textOf(value))
    return Array.isArray(list) ? list.slice(0, 1000) : []
  } catch {
    // Written by hand or by an older version: not a list.
    return []
  }
}

const namesOf = (row: Row): string[] =>
  listOf(row.domain_names).flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []))

/** A row as a vhost, with what all kinds of hosts share; undefined if it was deleted. */
function hostOf(row: Row, table: string, draft: DraftBuilder): Vhost | undefined {
  if (isSet(row.is_deleted)) return undefined
  const names = namesOf(row)
  const place: Place = { line: idOf(row), text: `${table} ${idOf(row)}: ${names.join(' ')}` }
  const notes: Vhost['notes'] = []
  const vhost = newVhost(place, notes, draft.noting(notes))
  vhost.names = names
  vhost.enabled = row.enabled === undefined || isSet(row.enabled)
  vhost.tls = Number(row.certificate_id ?? 0) > 0
  const note = (reason: ImportReason, column: string) =>
    vhost.note(reason, { ...place, text: `${table}.${column}: ${textOf(String(row[column]))}` })
  if (!vhost.enabled) note('disabled', 'enabled')
  if (isSet(row.ssl_forced)) vhost.forced = new Set(names)
  if (vhost.tls) note('certificate', 'certificate_id')
  if (Number(row.access_list_id ?? 0) > 0) note('basicAuth', 'access_list_id')
  if (isSet(row.block_exploits)) note('protection', 'block_exploits')
  if (isSet(row.hsts_enabled))
    vhost.settings.hsts = { hstsSeconds: 63_072_000, hstsSubdomains: isSet(row.hsts_subdomains), hstsPreload: false }
  for (const location of listOf(row.locations)) vhost.note('otherOrigin', { ...place, text: JSON.stringify(location) })
  return vhost
}

function addByHand(vhost: Vhost, row: Row): void {
  const text = textOf(row.advanced_config)
  if (text.trim() === '') return
  try {
    addDirectives(vhost, readTree(text).root, { level: [], upstreams: new Map() })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    vhost.note('syntax', error.place)
  }
}

function proxyHost(row: Row, draft: DraftBuilder): Vhost | undefined {
  const vhost = hostOf(row, 'proxy_host', draft)
  if (!vhost) return undefined
  const tls = row.forward_scheme === 'https'
  const port = Number(row.forward_port ?? row.forwarding_port)
  const ip = textOf(row.forward_host ?? row.forward_ip ?? row.forwarding_host)
  // Some users append a path to the host: the origin is requested below it.
  const [host = '', ...path] = ip.split('/')
  if (path.length > 0) vhost.note('location', { ...vhost.place, text: ip })
  const origins: Origins = { upstreams: [{ ip: host, port, tls }], balance: 1 }
  if (host !== '' && port > 0) vhost.origins = origins
  if (isSet(row.caching_enabled)) vhost.rules.cacheRules.push({ type: 'extension', values: assets, ttl: 1800 })
  addByHand(vhost, row)
  return vhost
}

function redirectionHost(row: Row, draft: DraftBuilder): Vhost | undefined {
  const vhost = hostOf(row, 'redirection_host', draft)
  if (!vhost) return undefined
  const scheme = textOf(row.forward_scheme)
  const host = textOf(row.forward_domain_name)
  const keeps = isSet(row.preserve_path)
  const target = `${/^https?$/.test(scheme) ? scheme : 'https'}://${host}${keeps ? '$path' : '/'}`
  const code = Number(row.forward_http_code)
  const statusCode = ([301, 302, 303, 307, 308] as const).find((status) => status === code) ?? 302
  addRedirect(vhost, { urlRegex: '^/', target, statusCode, keepQuery: keeps }, vhost.place)
  addByHand(vhost, row)
  return vhost
}

/** Notes what does not become a site: streams, 404 pages, and the names of certificates. */
function noteRest(database: DatabaseSync, draft: DraftBuilder): void {
  const note = draft.noting()
  const all: [string, ImportReason, (row: Row) => string][] = [
    [
      'stream',
      'layer4',
      (row) => `${textOf(String(row.incoming_port))} → ${textOf(row.forwarding_host ?? row.forward_ip)}`,
    ],
    ['dead_host', 'answer', (row) => namesOf(row).join(' ')],
    ['certificate', 'certificate', (row) => textOf(row.nice_name) || namesOf(row).join(' ')],
    ['access_list', 'basicAuth', (row) => textOf(row.name)],
  ]
  for (const [table, reason, words] of all) {
    for (const row of rowsOf(database, table) ?? []) {
      if (isSet(row.is_deleted)) continue
      note(reason, { line: idOf(row), text: `${table} ${idOf(row)}: ${words(row)}` })
    }
  }
}
