/** The name that a tenant's people know the product by: in letters, in their authenticator app, at their passkeys. */
import { type SqlBool, sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'

export const product = 'Breakwater'

/** The product's version, shown where a brand has none of its own. */
export const version = '0.1.0'

/**
 * What the product is called to the people of a tenant: the title of its operator's brand for its console, one without
 * hosts first, since a letter is not read under a host. Without one, the product's name. A customer does not see its operator's rows: asked as the system.
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
