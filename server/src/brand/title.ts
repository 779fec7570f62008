/** The product name that a tenant's people see: in mails, in their authenticator app, at their passkeys. */
import { type SqlBool, sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'

export const product = 'Breakwater'

/** The product's version, shown if a brand sets none. */
export const version = '0.1.0'

/**
 * The product name for a tenant's people: the title of its operator's brand for its console, preferring one without
 * hosts, since a mail is not read under a host. Without a brand, the product's name. Customers cannot see their
 * operator's rows, so this is queried as the system.
 */
export async function brandOf(db: Database, tenantId: number): Promise<string> {
  const tier = sql`(select case kind when 'customer' then 'user' when 'operator' then 'client' else 'admin' end
    from tenants where id = ${tenantId})`
  const brand = await asSystem(db, (tx) =>
    tx
      .selectFrom('brands')
      .select(sql<string>`texts ->> 'title'`.as('title'))
      .where(sql<SqlBool>`tenant_id = (select coalesce(operator_id, id) from tenants where id = ${tenantId})`)
      .where(sql<SqlBool>`tiers @> array[${tier}]`)
      .orderBy(sql`cardinality(hosts)`)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  )
  return brand?.title || product
}
