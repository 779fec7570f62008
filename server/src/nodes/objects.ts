/**
 * What nodes fetch by hash: artefacts and parts of the sites of their own group only; the newest of each site, and
 * those of the page that the node was served last, if a newer one has replaced them since.
 */
import type { ObjectsReply } from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { NodeIdentity } from './node-identity.ts'
import type { ServedPage } from './served-pages.ts'

/**
 * Bytes of objects in one answer. Those that do not fit are absent, and the node requests them again; one always fits.
 */
export const objectsBytesMax = 40_000_000

export type FoundObjects = {
  reply: z.output<typeof ObjectsReply>
  bytes: number
  /** Hashes of objects that are in another group's feed and not in the node's own. */
  foreign: string[]
}

type Found = { hash: Buffer; bytes: number; own: boolean; foreign: boolean }

/** The objects of an artefact are in `artefact_objects`, including those of its older rendering. */
const reachableFrom = (groupTest: ReturnType<typeof sql>) => sql<boolean>`(
  exists (select from named_entries e where e.artefact = o.hash and ${groupTest})
  or exists (
    select from artefact_objects a join named_entries e on e.artefact = a.artefact
    where a.object = o.hash and ${groupTest}))`

async function judge(db: Database, groupId: number | null, hashes: Buffer[]): Promise<Found[]> {
  const own = sql`e.group_id = ${groupId}::int`
  const other = sql`e.group_id is distinct from ${groupId}::int`
  const { rows } = await sql<Found>`
    select o.hash, length(o.bytes) as bytes, ${reachableFrom(own)} as own,
      not ${reachableFrom(own)} and ${reachableFrom(other)} as foreign
    from objects o where o.hash = any(${hashes}::bytea[])`.execute(db)
  return rows
}

/**
 * Those objects that the page last served to the node refers to. Objects of a site that has left the group since are no
 * longer available.
 */
async function servedOf(
  db: Database,
  groupId: number | null,
  { sites, artefacts }: ServedPage,
  hashes: Buffer[],
): Promise<Set<string>> {
  if (sites.length === 0 || hashes.length === 0) return new Set()
  const { rows } = await sql<{ hash: Buffer }>`
    with served as (
      select t.artefact from unnest(${sites}::int[], ${artefacts}::bytea[]) as t (site_id, artefact)
      join feed_entries e on e.group_id = ${groupId}::int and e.site_id = t.site_id
      where e.artefact is not null and e.artefact <> t.artefact)
    select artefact as hash from served
    union
    select a.object from served join artefact_objects a using (artefact) where a.object = any(${hashes}::bytea[])`.execute(
    db,
  )
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

/** The objects, from the front, that fit into one answer. */
function fitting(objects: Found[]): Buffer[] {
  let total = 0
  return objects
    .filter(({ bytes }, i) => {
      total += bytes
      return i === 0 || total <= objectsBytesMax
    })
    .map(({ hash }) => hash)
}

/** The objects that a node requested. Runs as the system. */
export async function readObjects(
  db: Database,
  node: NodeIdentity,
  hashes: string[],
  page: ServedPage,
): Promise<FoundObjects> {
  const asked = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))
  const found = await judge(db, node.groupId, asked)
  const overtaken = found.flatMap(({ hash, own }) => (own ? [] : [hash]))
  const served = await servedOf(db, node.groupId, page, overtaken)
  const isOwn = ({ hash, own }: Found) => own || served.has(hash.toString('hex'))
  const taken = fitting(found.filter(isOwn))
  const rows =
    taken.length === 0
      ? []
      : await db.selectFrom('objects').select(['hash', 'bytes']).where('hash', 'in', taken).execute()
  return {
    reply: {
      objects: Object.fromEntries(rows.map(({ hash, bytes }) => [hash.toString('hex'), bytes.toString('base64')])),
    },
    bytes: rows.reduce((sum, row) => sum + row.bytes.length, 0),
    foreign: found.filter((one) => one.foreign && !isOwn(one)).map(({ hash }) => hash.toString('hex')),
  }
}
