/** Where an address is, by the data that an operator brought along in place of the release's. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
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

/** Tables that are held at once: some 5 MB each. */
const tablesMax = 4
const unknownCountry = 'ZZ'
/** By their numbers, which are given once. */
const held = new Map<number, AddressTable>()

/** The table of a row of `address_data`, unpacked. Throws where it is none. */
export const unpackTable = async (bytes: Uint8Array): Promise<AddressTable> =>
  readTable(await promisify(gunzip)(bytes, { maxOutputLength: tableBytesMax }))

/** What the operator of a site says of an address; of what the release's data is to say, nothing. */
export async function placeOf(db: Database, siteId: number, text: string): Promise<{ country?: string; asn?: number }> {
  const address = parseAddress(text)
  if (!address) return {}
  const chosen = await withSystem(db, (tx) => chosenBy(tx, siteId))
  const at = (table: AddressTable) =>
    address.family === 4 ? valueAt(table.v4, Number(address.value)) : valueAt(table.v6, Number(address.value >> 80n))
  return {
    ...(chosen.countries > 0 && {
      country: countryOfNumber(at(await tableOf(db, chosen.countries))) || unknownCountry,
    }),
    ...(chosen.networks > 0 && { asn: at(await tableOf(db, chosen.networks)) }),
  }
}

/** Rows of `address_data` by kind; 0 for the release's. */
async function chosenBy(db: Database, siteId: number): Promise<{ countries: number; networks: number }> {
  const { rows } = await sql<{ countries: number; networks: number }>`
    select (g.value->'countries'->>'id')::int as countries, (g.value->'networks'->>'id')::int as networks
    from sites s join tenants t on t.id = s.tenant_id
    join settings g on g.owner = 'operator' and g.owner_id = coalesce(t.operator_id, t.id) and g.name = ${addressDataName}
    where s.id = ${siteId}::int`.execute(db)
  return rows[0] ?? { countries: 0, networks: 0 }
}

async function tableOf(db: Database, id: number): Promise<AddressTable> {
  const known = held.get(id)
  if (known) return known
  const { bytes } = await withSystem(db, (tx) =>
    tx.selectFrom('addressData').select('bytes').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  const table = await unpackTable(bytes)
  held.set(id, table)
  for (const old of [...held.keys()].slice(0, -tablesMax)) held.delete(old)
  return table
}
