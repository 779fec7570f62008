/** Looks up an address in the data that its operator uploaded to replace the release's. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { parseAddress } from '@breakwater/contract/addresses.ts'
import {
  type AddressTable,
  countryOfNumber,
  readTable,
  tableBytesMax,
  valueAt,
} from '@breakwater/contract/edge/address-table.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { addressDataName } from './chosen.ts'

/** How many tables are kept in memory, at about 5 MB each. */
const tablesMax = 4
const unknownCountry = 'ZZ'
/** Keyed by the hash of the table's bytes. */
const held = new Map<string, AddressTable>()

/** Unpacks the table of a row of `address_data`. Throws if it is not a valid table. */
export const unpackTable = async (bytes: Uint8Array): Promise<AddressTable> =>
  readTable(await promisify(gunzip)(bytes, { maxOutputLength: tableBytesMax }))

/** Looks up an address in the data of a site's operator. A kind for which the release's data is used is left out. */
export async function placeOf(db: Database, siteId: number, text: string): Promise<{ country?: string; asn?: number }> {
  const address = parseAddress(text)
  if (!address) return {}
  const chosen = await withSystem(db, (tx) => chosenBy(tx, siteId))
  const at = (table: AddressTable) =>
    address.family === 4 ? valueAt(table.v4, Number(address.value)) : valueAt(table.v6, Number(address.value >> 80n))
  return {
    ...(chosen.countries && { country: countryOfNumber(at(await tableOf(db, chosen.countries))) || unknownCountry }),
    ...(chosen.networks && { asn: at(await tableOf(db, chosen.networks)) }),
  }
}

type Chosen = { id: number; hash: string }

/** The rows of `address_data` in use, by kind; a kind is absent if the release's is in use. */
async function chosenBy(db: Database, siteId: number): Promise<Partial<Record<AddressDataKind, Chosen>>> {
  const { rows } = await sql<Chosen & { kind: AddressDataKind }>`
    select d.kind, d.id, encode(d.hash, 'hex') as hash
    from sites s join tenants t on t.id = s.tenant_id
    join settings g on g.owner = 'operator' and g.owner_id = coalesce(t.operator_id, t.id) and g.name = ${addressDataName}
    join address_data d on d.id in ((g.value->'countries'->>'id')::int, (g.value->'networks'->>'id')::int)
    where s.id = ${siteId}::int`.execute(db)
  return Object.fromEntries(rows.map(({ kind, id, hash }) => [kind, { id, hash }]))
}

async function tableOf(db: Database, { id, hash }: Chosen): Promise<AddressTable> {
  const known = held.get(hash)
  if (known) return known
  const { bytes } = await withSystem(db, (tx) =>
    tx.selectFrom('addressData').select('bytes').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const table = await unpackTable(bytes)
  held.set(hash, table)
  for (const old of [...held.keys()].slice(0, -tablesMax)) held.delete(old)
  return table
}
