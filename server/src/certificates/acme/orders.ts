/** The orders of automatic certificates in the database. All functions run as the system. */
import { sql } from 'kysely'
import { type Database, withSystem } from '../../db/database.ts'
import type { Services } from '../../process/services.ts'
import { lockSites } from '../../publish/locked-sites.ts'
import { publishSites } from '../../publish/publish-sites.ts'
import { insertCertificate, replaceCertificate } from '../certificates.store.ts'
import type { ReadCertificate } from '../read-certificate.ts'

/** A domain whose certificate is due for a check. */
export type DueOrder = {
  domainId: number
  tenantId: number
  siteId: number
  operatorId: number
  name: string
  isServed: boolean
  productId: number
  forceBackup: boolean
  attempts: number
  renewAt: Date
  /** Its current certificate. */
  certificateId: number | null
  chain: string | null
  notBefore: Date | null
  notAfter: Date | null
  /** When the certificate of the wildcard above expires, if it covers the name. */
  coveredUntil: Date | null
}

/** How long a claim excludes other workers. If a worker dies, its order waits for this long. */
const claim = '15 minutes'

/** Creates the missing orders of domains with automatic certificates, and deletes those of domains without. */
export async function reconcileOrders(db: Database): Promise<void> {
  await sql`
    delete from certificate_orders o using domains d where d.id = o.domain_id and not d.auto_ssl`.execute(db)
  await sql`
    insert into certificate_orders (domain_id, tenant_id, site_id, certificate_id, state, renew_at)
    select d.id, d.tenant_id, d.site_id, c.id, case when c.id is null then 'waiting' else 'issued' end,
      coalesce(c.not_before + (c.not_after - c.not_before) * 2 / 3, now())
    from domains d join sites s on s.id = d.site_id and s.removed_at is null
    left join lateral (
      select id, not_before, not_after from certificates where site_id = d.site_id and source = 'automatic'
        and d.name = any (names) and (names = array[d.name] or d.name like '*.%')
      order by not_after desc limit 1) c on true
    where d.auto_ssl on conflict (domain_id) do nothing`.execute(db)
}

/** The order of the wildcard above the name of `o`, whose certificate covers that name too. */
const above = sql`
  domains w join certificate_orders wo on wo.domain_id = w.id left join certificates wc on wc.id = wo.certificate_id
  where w.site_id = o.site_id and w.auto_ssl and w.name = '*.' || (select name from domains where id = o.domain_id)`

/**
 * Claims orders that are due, earliest first. A name waits for the wildcard above it while that is due itself or was
 * never tried, since one certificate serves both.
 */
export async function claimOrders(db: Database, most: number): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
    with due as (
      select domain_id from certificate_orders o where next_at <= now()
        and not exists (select from ${above} and (wo.state = 'waiting' or wo.next_at <= now()))
      order by next_at limit ${most} for update skip locked),
    claimed as (
      update certificate_orders o set next_at = now() + ${claim}::interval from due where o.domain_id = due.domain_id
      returning o.*)
    select o.domain_id, o.tenant_id, o.site_id, coalesce(t.operator_id, t.id) as operator_id, d.name, s.product_id, s.force_backup,
      d.status = 1 and d.ownership in ('proven', 'approved') and s.status = 1 and s.removed_at is null as is_served,
      o.attempts, o.renew_at, c.id as certificate_id, c.chain, c.not_before, c.not_after,
      (select wc.not_after from ${above} and wo.attempts = 0 and wc.not_after > now() and d.name = any (wc.names)
        order by wc.not_after desc limit 1) as covered_until
    from claimed o join domains d on d.id = o.domain_id join sites s on s.id = o.site_id
    join tenants t on t.id = o.tenant_id
    left join certificates c on c.id = o.certificate_id`.execute(db)
  return rows
}

export async function noteNext(db: Database, { domainId }: DueOrder, nextAt: number, renewAt: number): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({ nextAt: new Date(nextAt), renewAt: new Date(renewAt) })
    .where('domainId', '=', domainId)
    .execute()
}

/**
 * A name that a wildcard's certificate covers needs none of its own, and is checked again after that one was renewed.
 */
export async function noteCovered(db: Database, { domainId, coveredUntil }: DueOrder): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({
      ...{ state: 'issued', attempts: 0, detail: '', renewAt: coveredUntil!, updatedAt: new Date() },
      nextAt: sql<Date>`least(${coveredUntil}::timestamptz, now() + interval '6 hours')`,
    })
    .where('domainId', '=', domainId)
    .execute()
}

export async function noteFailure(
  db: Database,
  { domainId }: DueOrder,
  { attempts, detail, nextAt }: { attempts: number; detail: string; nextAt: number },
): Promise<void> {
  await db
    .updateTable('certificateOrders')
    .set({ state: 'failed', attempts, detail: detail.slice(0, 500), nextAt: new Date(nextAt), updatedAt: new Date() })
    .where('domainId', '=', domainId)
    .execute()
}

/** Stores an issued certificate and publishes its site. Does nothing if the certificate is no longer wanted. */
export async function keepIssued(
  { database, vault, publisher }: Pick<Services, 'database' | 'vault' | 'publisher'>,
  order: DueOrder,
  issued: { certificate: ReadCertificate; key: string; directory: string; nextAt: number; renewAt: number },
): Promise<void> {
  await withSystem(database.db, async (db) => {
    const [site] = await lockSites(db, [order.siteId])
    const domain = await db
      .selectFrom('domains')
      .select('autoSsl')
      .where('id', '=', order.domainId)
      .where('name', '=', order.name)
      .executeTakeFirst()
    if (!site || !domain?.autoSsl) return
    const { certificate, key, directory } = issued
    const now = await db
      .selectFrom('certificateOrders')
      .innerJoin('certificates', 'certificates.id', 'certificateOrders.certificateId')
      .select('certificates.id')
      .where('domainId', '=', order.domainId)
      .executeTakeFirst()
    if (now) await replaceCertificate(db, vault, site, now.id, certificate, key)
    const id =
      now?.id ??
      (await insertCertificate(db, vault, site, { ...certificate, name: order.name, source: 'automatic' }, key))
    await db
      .updateTable('certificateOrders')
      .set({
        ...{ state: 'issued', attempts: 0, detail: '', certificateId: id, directory },
        ...{ nextAt: new Date(issued.nextAt), renewAt: new Date(issued.renewAt), updatedAt: new Date() },
      })
      .where('domainId', '=', order.domainId)
      .execute()
    await publishSites(db, [site], publisher, { actor: '', action: 'site.certificate.issued', summary: order.name })
  })
}
