/**
 * A job: stores this month's traffic of each operator with a licence, and the latest time that its installation has
 * seen.
 */
import { sql } from 'kysely'
import { withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { trafficOfMonth } from '../statistics/traffic.ts'

export async function updateLicenseUsage({ database, events, env }: Services, now = Date.now()): Promise<void> {
  const operators = await withSystem(database.db, (db) =>
    db.selectFrom('installedLicenses').select('operatorId').execute(),
  )
  for (const { operatorId } of operators) {
    const sites = await withSystem(database.db, (db) =>
      db
        .selectFrom('sites')
        .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
        .select('sites.id')
        .where('tenants.operatorId', '=', operatorId)
        .execute(),
    )
    const { current } = await trafficOfMonth(
      events,
      sites.map(({ id }) => id),
      env.accountingTimeZone,
      now,
    )
    await withSystem(database.db, (db) =>
      db
        .updateTable('installedLicenses')
        .set({ monthBytes: current, seenAt: sql`greatest(seen_at, ${new Date(now)})` })
        .where('operatorId', '=', operatorId)
        .execute(),
    )
  }
}
