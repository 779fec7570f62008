/**
 * A site's document: everything that is saved about it, in the form people edit. It is kept as parts by content, named
 * by a manifest; history, diff and restore read it back. What nodes get is rendered from it (`render.ts`).
 */
import { inlineIpsMax } from '@breakwater/contract/edge/ip-set.ts'
import type { Database } from '../db/database.ts'
import { canonicalJson, sha256 } from './canonical.ts'

export type SavedRule = {
  id: number
  sort: number
  enabled: boolean
  mode: 'enforce' | 'observe'
  body: Record<string, unknown>
  bodyVersion: number
  memo: string
  createdBy: string
  expiresAt: string | null
  createdAt: string
}

export type SavedUpstream = {
  id: number
  ip: string
  port: number
  weight: number
  backup: boolean
  enabled: boolean
  tls: boolean
  memo: string
}

export type SavedDomain = {
  id: number
  name: string
  status: number
  scheme: number
  portMap: Record<string, number>
  tags: string[]
  forceSsl: boolean
  autoSsl: boolean
  balance: number
  ownership: 'pending' | 'proven' | 'approved' | 'preview'
  proof: string
  customHeaderModuleId: number | null
  upstreams: SavedUpstream[]
}

export type SiteSettings = { originCredential?: { header: string; version: number } }

/** Rules of a site by kind, rules of bound modules by module id. */
export type SiteDocument = {
  site: { id: number; label: string; status: number; name: string; tags: string[] }
  settings: SiteSettings
  domains: SavedDomain[]
  rules: Record<string, SavedRule[]>
  modules: Record<string, { name: string; kind: string; rules: SavedRule[] }>
}

/** The parts of a document, each by the hash of its canonical JSON. Kinds of rules are parts of their own. */
export type Manifest = {
  version: 1
  site: string
  settings: string
  domains: string
  rules: Record<string, string>
  modules: Record<string, string>
}

/**
 * Splits a document into parts and the manifest that names them. Long address lists become parts of their own. `known` are
 * the hashes of modules that documents gathered together have in common.
 */
export function splitDocument(
  document: SiteDocument,
  known: Map<object, string> = new Map(),
): { manifest: Manifest; parts: Map<string, object> } {
  const parts = new Map<string, object>()
  const keep = (body: object, hash = sha256(canonicalJson(body)).toString('hex')): string => {
    parts.set(hash, body)
    return hash
  }
  const keepModule = (module: SiteDocument['modules'][string]): string => {
    const hash = keep(module, known.get(module))
    known.set(module, hash)
    return hash
  }
  const slim = (rule: SavedRule): SavedRule => {
    const ips = rule.body.ips
    return Array.isArray(ips) && ips.length > inlineIpsMax
      ? { ...rule, body: { ...rule.body, ips: undefined, ipsPart: keep({ ips }) } }
      : rule
  }
  const all = <T, R>(record: Record<string, T>, map: (value: T) => R) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
  const manifest: Manifest = {
    version: 1,
    site: keep(document.site),
    settings: keep({ settings: document.settings }),
    domains: keep({ domains: document.domains }),
    rules: all(document.rules, (rules) => keep({ rules: rules.map(slim) })),
    modules: all(document.modules, keepModule),
  }
  return { manifest, parts }
}

/** Reads a document back from its manifest. Runs as the system, which alone reads parts. Throws when a part is gone. */
export async function loadDocument(db: Database, manifest: Manifest): Promise<SiteDocument> {
  const hashes = [
    manifest.site,
    manifest.settings,
    manifest.domains,
    ...Object.values(manifest.rules),
    ...Object.values(manifest.modules),
  ]
  const bodies = await readParts(db, hashes)
  const rules: Record<string, SavedRule[]> = {}
  for (const [kind, hash] of Object.entries(manifest.rules))
    rules[kind] = (part(bodies, hash) as { rules: SavedRule[] }).rules
  const lists = await readParts(
    db,
    Object.values(rules)
      .flat()
      .flatMap((rule) => (typeof rule.body.ipsPart === 'string' ? [rule.body.ipsPart] : [])),
  )
  for (const kind of Object.keys(rules)) {
    rules[kind] = rules[kind]!.map((rule) => {
      const { ipsPart, ...body } = rule.body
      return typeof ipsPart === 'string'
        ? { ...rule, body: { ...body, ips: (part(lists, ipsPart) as { ips: string[] }).ips } }
        : rule
    })
  }
  return {
    site: part(bodies, manifest.site) as SiteDocument['site'],
    settings: (part(bodies, manifest.settings) as { settings: SiteSettings }).settings,
    domains: (part(bodies, manifest.domains) as { domains: SavedDomain[] }).domains,
    rules,
    modules: Object.fromEntries(
      Object.entries(manifest.modules).map(([id, hash]) => [id, part(bodies, hash) as SiteDocument['modules'][string]]),
    ),
  }
}

async function readParts(db: Database, hashes: string[]): Promise<Map<string, object>> {
  if (hashes.length === 0) return new Map()
  const wanted = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))
  const rows = await db.selectFrom('parts').select(['hash', 'body']).where('hash', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.hash.toString('hex'), row.body]))
}

function part(bodies: Map<string, object>, hash: string): object {
  const body = bodies.get(hash)
  if (!body) throw new Error(`part ${hash} is gone`)
  return body
}
