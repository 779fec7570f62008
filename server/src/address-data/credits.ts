/** The credit lines for address data that an operator and its customers see. */
import type { AddressDataKind } from '@breakwater/contract/address-data/csv.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { addressDataName } from './chosen.ts'
import { releaseData } from './release.ts'

/**
 * By kind, the credit line of the data that the tenant's operator uses, or its source if it has no credit line; the
 * release's if the operator chose none. `db` must see all tenants.
 */
export async function creditsOf(db: Database, tenantId: number): Promise<Record<AddressDataKind, string>> {
  const { rows } = await sql<{ kind: AddressDataKind; credit: string }>`
    select d.kind, coalesce(nullif(d.credit, ''), d.source) as credit
    from tenants t
    join settings g on g.owner = 'operator' and g.owner_id = coalesce(t.operator_id, t.id) and g.name = ${addressDataName}
    join address_data d on d.operator_id = g.owner_id and d.id = (g.value->d.kind->>'id')::int
    where t.id = ${tenantId}::int`.execute(db)
  const { countries, networks } = releaseData()
  const credits = { countries: countries.credit, networks: networks.credit }
  for (const { kind, credit } of rows) credits[kind] = credit
  return credits
}
