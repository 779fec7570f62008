import type { Database } from '../db/database.ts'

/** The operator of a tenant; an operator is its own. Runs as the system. */
export async function operatorOf(db: Database, tenantId: number): Promise<number> {
  const tenant = await db
    .selectFrom('tenants')
    .select('operatorId')
    .where('id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return tenant.operatorId ?? tenantId
}
