/**
 * The names of networks (autonomous systems): from the operator's data, or from a file that the build of the edge makes
 * from the same data as the release's numbers.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { addressDataName } from './chosen.ts'

const file = join(import.meta.dirname, '../../../edge/lua/networks.names')
const [newline, tab] = [10, 9]
/** How many lists are kept in memory besides the release's, at 3 MB each. */
const listsMax = 4
const unpackedMax = 134_217_728

/** The raw lines and the offset of each: 80,000 strings would take many times the memory. */
type Lines = { bytes: Buffer; numbers: number[]; starts: number[] }

/** Returns a network's name, or '' if the data has none for it. 0 means no network and has no name. */
export type NetworkNames = (asn: number) => string

const ofRelease = 'release'
const held = new Map<string, NetworkNames>()

/** The network names of the operator of these sites. All sites of one query belong to the same operator. */
export async function networkNamesOf(db: Database, sites: readonly number[]): Promise<NetworkNames> {
  const [site] = sites
  const chosen = site === undefined ? undefined : await withSystem(db, (tx) => chosenBy(tx, site))
  const key = chosen?.hash ?? ofRelease
  const known = held.get(key)
  if (known) return known
  const packed = chosen && (await withSystem(db, (tx) => readPacked(tx, chosen.id)))
  const bytes = packed ? await promisify(gunzip)(packed, { maxOutputLength: unpackedMax }) : releaseNames()
  const names = namesIn(linesOf(bytes))
  held.set(key, names)
  for (const old of [...held.keys()].filter((one) => one !== ofRelease).slice(0, -listsMax)) held.delete(old)
  return names
}

async function chosenBy(db: Database, site: number): Promise<{ id: number; hash: string } | undefined> {
  const { rows } = await sql<{ id: number; hash: string }>`
    select d.id, encode(d.hash, 'hex') as hash
    from sites s join tenants t on t.id = s.tenant_id
    join settings g on g.owner = 'operator' and g.owner_id = coalesce(t.operator_id, t.id) and g.name = ${addressDataName}
    join address_data d on d.id = (g.value->'networks'->>'id')::int
    where s.id = ${site}::int`.execute(db)
  return rows[0]
}

const readPacked = async (db: Database, id: number): Promise<Buffer | null> =>
  (await db.selectFrom('addressData').select('names').where('id', '=', id).executeTakeFirst())?.names ?? null

const releaseNames = (): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))

function linesOf(bytes: Buffer): Lines {
  const [numbers, starts]: [number[], number[]] = [[], []]
  for (let start = 0; start < bytes.length; start = bytes.indexOf(newline, start) + 1) {
    numbers.push(Number.parseInt(bytes.toString('latin1', start, start + 10), 10))
    starts.push(start)
  }
  return { bytes, numbers, starts }
}

const namesIn =
  ({ bytes, numbers, starts }: Lines): NetworkNames =>
  (asn) => {
    if (asn === 0) return ''
    let [low, high] = [0, numbers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[middle]! < asn) low = middle + 1
      else high = middle
    }
    if (numbers[low] !== asn) return ''
    const start = starts[low]!
    return bytes.toString('utf8', bytes.indexOf(tab, start) + 1, bytes.indexOf(newline, start))
  }

/** A network in the usual notation: `AS13335 Cloudflare, Inc.`, or the number alone if it has no name. */
export const networkLabel = (names: NetworkNames, asn: number): string => `AS${asn} ${names(asn)}`.trimEnd()
