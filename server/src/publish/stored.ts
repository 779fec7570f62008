/** How documents are stored: parts by content hash, listed in the manifest of each revision. */
import type { Database } from '../db/database.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import type { Bodies, SiteDocument } from './document.ts'
import { type Manifest, type ManifestBefore, upgradeManifest } from './manifest.ts'
import type { Part, Parts } from './part.ts'

/**
 * Splits a document into the values to store and the manifest that refers to them. `known` caches hashes of what
 * documents gathered together share.
 */
export function splitDocument(
  parts: Parts,
  document: SiteDocument,
  known: Map<object, string> = new Map(),
): { manifest: Manifest; kept: Map<string, object> } {
  const kept = new Map<string, object>()
  const keep = (body: object, hash = sha256(canonicalJson(body)).toString('hex')): string => {
    kept.set(hash, body)
    return hash
  }
  const keepShared = (value: object): string => {
    const hash = keep(value, known.get(value))
    known.set(value, hash)
    return hash
  }
  const named: Manifest['parts'] = {}
  for (const part of parts) {
    const body = document[part.name]
    if (body === undefined) continue
    if (part.owner === 'site' && part.isKeyed)
      named[part.name] = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, keepShared(value)]))
    else named[part.name] = keep(part.owner === 'site' && part.long ? part.long.split(body, keep) : body)
  }
  return { manifest: { version: 2, parts: named }, kept }
}

/**
 * Reads a document back from its manifest. Runs as the system, the only one that may read the stored parts. Throws if a
 * part is missing.
 */
export async function loadDocument(
  db: Database,
  parts: Parts,
  saved: Manifest | ManifestBefore,
): Promise<SiteDocument> {
  const manifest = saved.version === 2 ? saved : upgradeManifest(saved)
  const named = parts.flatMap((part) => {
    const hashes = manifest.parts[part.name]
    return hashes === undefined ? [] : [{ part, hashes }]
  })
  const read = await readKept(
    db,
    named.flatMap(({ hashes }) => (typeof hashes === 'string' ? [hashes] : Object.values(hashes))),
  )
  const longHashes = named.flatMap(({ part, hashes }) =>
    part.owner === 'site' && part.long && typeof hashes === 'string' ? part.long.hashesOf(read(hashes)) : [],
  )
  const readLong = await readKept(db, longHashes)
  const stored: Bodies = {}
  for (const { part, hashes } of named) {
    if (typeof hashes !== 'string')
      stored[part.name] = Object.fromEntries(Object.entries(hashes).map(([key, hash]) => [key, read(hash)]))
    else stored[part.name] = part.owner === 'site' && part.long ? part.long.join(read(hashes), readLong) : read(hashes)
  }
  const bodies = parts.flatMap((part) => {
    const body = part.lift?.(stored) ?? stored[part.name]
    return body === undefined ? [] : [[part.name, parseBody(part, body)] as const]
  })
  return Object.fromEntries(bodies) as SiteDocument
}

/** The schema fills in fields that did not exist yet when the body was saved. */
const parseBody = (part: Part, body: object): object =>
  part.owner === 'site'
    ? part.schema.parse(body)
    : Object.fromEntries(Object.entries(body).map(([id, one]) => [id, part.schema.parse(one)]))

async function readKept(db: Database, hashes: string[]): Promise<(hash: string) => object> {
  const wanted = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))
  const rows =
    wanted.length === 0
      ? []
      : await db.selectFrom('parts').select(['hash', 'body']).where('hash', 'in', wanted).execute()
  const bodies = new Map(rows.map((row) => [row.hash.toString('hex'), row.body]))
  return (hash) => {
    const body = bodies.get(hash)
    if (!body) throw new Error(`part ${hash} is gone`)
    return body
  }
}
