/**
 * Enforces the traffic limits of sites: a site above its limit is limited until the month ends or the limit is raised.
 */
import { siteStatuses } from '@breakwater/contract/sites/operator-sites.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { queryRows } from '../events/store.ts'
import type { Services } from '../process/services.ts'
import { publishMany } from '../publish/change-many.ts'
import { lockSites } from '../publish/locked-sites.ts'

/** Bytes sent to visitors of each site this month, which begins at midnight of the accounting time zone. */
async function bytesOfMonth({ env, events }: Pick<Services, 'env' | 'events'>, siteIds: number[], nowMs: number) {
  const rows = await queryRows<{ site: number; bytes: number }>(
    events,
    `WITH toDateTime({now:UInt32}, {timeZone:String}) AS now
     SELECT site, sum(bytesSent) AS bytes FROM counters_per_minute_v1 FINAL
     WHERE site IN {sites:Array(UInt32)}
       AND minute >= toDateTime(toStartOfMonth(now, {timeZone:String}), {timeZone:String}) AND minute <= now
     GROUP BY site`,
    { sites: siteIds, timeZone: env.accountingTimeZone, now: Math.floor(nowMs / 1000) },
  )
  return new Map(rows.map(({ site, bytes }) => [site, Number(bytes)]))
}

/** Counts traffic, limits sites and lifts limits. Returns how many sites changed. */
export async function limitTraffic(
  services: Pick<Services, 'database' | 'env' | 'events' | 'publisher'>,
  nowMs = Date.now(),
): Promise<number> {
  const { db } = services.database
  const held = await withSystem(db, (tx) =>
    tx
      .selectFrom('sites')
      .select('id')
      .where('removedAt', 'is', null)
      .where((on) =>
        on.or([on('status', '=', siteStatuses.limit), on(sql<number>`(limitations->>'trafficBytes')::bigint`, '>', 0)]),
      )
      .execute(),
  )
  if (held.length === 0) return 0
  const ids = held.map(({ id }) => id)
  const bytes = await bytesOfMonth(services, ids, nowMs)
  return withSystem(db, async (tx) => {
    await keepBytes(tx, ids, bytes)
    const changed = await tx
      .selectFrom('sites')
      .select(['id', 'status', 'tenantId'])
      .where('id', 'in', ids)
      .where(sql<boolean>`case status
        when 1 then (limitations->>'trafficBytes')::bigint > 0 and month_bytes >= (limitations->>'trafficBytes')::bigint
        when 2 then (limitations->>'trafficBytes')::bigint = 0 or month_bytes < (limitations->>'trafficBytes')::bigint
        else false end`)
      .execute()
    await turn(
      tx,
      services,
      changed.filter(({ status }) => status === siteStatuses.normal),
      siteStatuses.limit,
    )
    await turn(
      tx,
      services,
      changed.filter(({ status }) => status === siteStatuses.limit),
      siteStatuses.normal,
    )
    return changed.length
  })
}

async function keepBytes(db: Database, ids: number[], bytes: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    update sites s set month_bytes = t.bytes
    from unnest(${ids}::int[], ${ids.map((id) => bytes.get(id) ?? 0)}::bigint[]) as t (id, bytes)
    where s.id = t.id and s.month_bytes <> t.bytes`.execute(db)
}

async function turn(
  db: Database,
  { publisher }: Pick<Services, 'publisher'>,
  changed: { id: number; tenantId: number }[],
  status: number,
): Promise<void> {
  if (changed.length === 0) return
  const action = status === siteStatuses.limit ? 'site.traffic.limited' : 'site.traffic.lifted'
  const sites = await lockSites(
    db,
    changed.map(({ id }) => id),
  )
  const ids = sites.map(({ id }) => id)
  await db
    .updateTable('sites')
    .set({ status })
    .where('id', 'in', [0, ...ids])
    .execute()
  await publishMany(db, sites, publisher, { actor: '', action }, { isAtOnce: true })
  for (const { id: siteId, tenantId, name } of sites) {
    await db
      .insertInto('audit')
      .values({
        ...{ tenantId, accountName: '', tier: 'user', action, method: '', url: '', requestId: '', address: '' },
        siteId,
        detail: JSON.stringify({ siteName: name }),
      })
      .execute()
  }
}
