/** The operator's calls for sites, many at a time. */
import { operatorSites } from '@breakwater/contract/sites/operator-sites.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import { orderPurge } from '../nodes/purge.ts'
import type { Services } from '../process/services.ts'
import { findProduct, type ProductRow, sitesOf } from '../products/products.store.ts'
import { changeSite } from '../publish/change-site.ts'
import { changeSites, noteSites, refuseAll, requireSites } from '../publish/change-sites.ts'
import { anyOf } from '../publish/gather.ts'
import { type LockedSite, lockSites } from '../publish/locked-sites.ts'
import { makeSite } from './make-site.ts'
import { removeSites } from './remove-sites.ts'

const idsOf = (sites: LockedSite[]): number[] => sites.map(({ id }) => id)

/** Updates rows of sites that are locked. */
const update = (db: Database, sites: LockedSite[]) => db.updateTable('sites').where('id', '=', anyOf(idsOf(sites)))

export function operatorSitesFeature({ env, publisher }: Pick<Services, 'env' | 'publisher'>): Feature {
  return implement(operatorSites, {
    async create({ db, caller, body, audit }) {
      const product = await findProduct(db, body.productID)
      if (!product) throw fieldFault('productID', 'unknownProduct')
      const customer = await db
        .selectFrom('accounts')
        .select('tenantId')
        .where('id', '=', body.userID)
        .where('tier', '=', 'user')
        .executeTakeFirst()
      if (!customer) throw fieldFault('userID', 'unknownAccount')
      const site = await makeSite(
        db,
        { env, publisher },
        { tenantId: customer.tenantId, actor: caller.accountName, action: 'client.site.create', product },
        { ...body, expiredAt: body.expired === null ? null : new Date(body.expired) },
      )
      audit.siteId = site.id
      audit.subjectTenantId = customer.tenantId
      audit.detail = { siteName: body.siteName, product: product.name }
      return { siteID: site.id }
    },

    async update(call) {
      const { siteID, siteName, basedOn } = call.body
      await changeSite(call, siteID, publisher, { summary: siteName }, async (db, site) => {
        requireUnchanged(basedOn, { siteName: site.name }, 'The site was changed meanwhile')
        await db.updateTable('sites').set({ name: siteName }).where('id', '=', site.id).execute()
      })
    },

    async remove({ db, caller, body, audit }) {
      const sites = await lockSites(db, [...new Set(body.siteIDs)])
      const inUse = await db
        .selectFrom('domains')
        .select(['siteId', (on) => on.fn.countAll<number>().as('n')])
        .where('siteId', '=', anyOf(idsOf(sites)))
        .where('status', '=', 1)
        .groupBy('siteId')
        .execute()
      const targets = sites.filter(({ id }) => inUse.some(({ siteId }) => siteId === id)).map(({ name }) => name)
      if (targets.length > 0) refuseAll([{ reason: 'siteInUse', targets, extra: 'enabled domains' }], sites.length)
      await removeSites(db, sites, publisher, { actor: caller.accountName, action: 'client.site.remove' })
      noteSites(audit, sites)
    },

    async changeProduct(call) {
      const { siteIDs, productID } = call.body
      // Locked first, because creating a site of the product also locks the operator before counting.
      await lockTenant(call.db, call.caller.tenantId)
      const product = await findProduct(call.db, productID)
      if (!product) throw fieldFault('productID', 'unknownProduct')
      await changeSites(
        call,
        siteIDs,
        publisher,
        { summary: product.name, productId: product.id },
        async (db, sites) => {
          await requireMove(db, sites, product)
          await update(db, sites).set({ productId: product.id }).execute()
          call.audit.detail = { product: product.name }
        },
      )
    },

    async refreshProduct(call) {
      await changeSites(call, call.body.siteIDs, publisher, {}, async (db, sites) => {
        await sql`
          update sites s set limitations = p.limitations from products p
          where p.id = s.product_id and s.id = any(${idsOf(sites)}::int[])`.execute(db)
        await liftLimits(db, sites)
      })
    },

    async setStatus(call) {
      const { siteIDs, status } = call.body
      const word = status === 0 ? 'pause' : 'normal'
      await changeSites(call, siteIDs, publisher, { summary: word }, async (db, sites) => {
        // Only the traffic count may limit a site.
        if (status === 2) throw new Fault('siteStatusNotAllowed')
        if (status === 1) await requireServable(db, sites)
        await update(db, sites).set({ status }).execute()
        call.audit.detail = { status: word }
      })
    },

    async setLimitations(call) {
      const { siteIDs, limitations } = call.body
      await changeSites(call, siteIDs, publisher, {}, async (db, sites) => {
        await update(db, sites)
          .set({ limitations: JSON.stringify(limitations) })
          .execute()
        await liftLimits(db, sites)
        call.audit.detail = { limitations }
      })
    },

    async setExpired(call) {
      const { siteIDs, expired } = call.body
      const expiredAt = expired === null ? null : new Date(expired)
      await changeSites(call, siteIDs, publisher, { summary: expiredAt?.toISOString() ?? '' }, async (db, sites) => {
        await update(db, sites).set({ expiredAt }).execute()
        call.audit.detail = { expired: expiredAt }
      })
    },

    async setForceBackup(call) {
      const { siteIDs, forceBackup } = call.body
      await changeSites(call, siteIDs, publisher, { summary: String(forceBackup) }, async (db, sites) => {
        if (forceBackup) await requireBackup(db, sites)
        await update(db, sites).set({ forceBackup }).execute()
        call.audit.detail = { forceBackup }
      })
    },

    async clearCache({ db, body, audit }) {
      const sites = await requireSites(db, body.siteIDs)
      await asSystem(db, async (tx) => {
        for (const site of sites) {
          const task = { kind: 'purge' as const, site: site.id, type: 'all' as const, values: [] }
          await orderPurge(tx, site, task, { isOperators: true })
        }
      })
      noteSites(audit, sites)
    },
  })
}

/** Throws if sites cannot move to a product: it is full (204003), or its port type differs from theirs. */
async function requireMove(db: Database, sites: LockedSite[], product: ProductRow): Promise<void> {
  const moving = sites.filter(({ productId }) => productId !== product.id)
  if (product.sitesMax > 0 && (await sitesOf(db, product.id)) + moving.length > product.sitesMax)
    throw new Fault('productSitesExceedLimit', { max: product.sitesMax })
  if (product.portType === 7) return
  const having = await db
    .selectFrom('domains')
    .select('siteId')
    .distinct()
    .where('siteId', '=', anyOf(idsOf(moving)))
    .execute()
  const targets = moving.filter(({ id }) => having.some(({ siteId }) => siteId === id)).map(({ name }) => name)
  if (targets.length > 0) refuseAll([{ reason: 'siteHasL7Domains', targets, extra: targets.join(', ') }], sites.length)
}

/** Throws 205002 for sites that have expired, 205006 for those above their traffic limit. */
async function requireServable(db: Database, sites: LockedSite[]): Promise<void> {
  const rows = await db
    .selectFrom('sites')
    .select(['name', 'status', 'limitations', 'monthBytes', 'expiredAt'])
    .where('id', '=', anyOf(idsOf(sites)))
    .execute()
  const expired = rows.filter(({ expiredAt }) => expiredAt !== null && expiredAt.getTime() <= Date.now())
  const limited = rows.filter(
    ({ status, limitations, monthBytes }) =>
      status === 2 && limitations.trafficBytes > 0 && monthBytes >= limitations.trafficBytes,
  )
  const named = (some: typeof rows) => some.map(({ name }) => name)
  refuseAll(
    [
      ...(expired.length > 0
        ? [{ reason: 'siteStatusNotAllowed' as const, targets: named(expired), extra: 'expired' }]
        : []),
      ...(limited.length > 0 ? [{ reason: 'liftTrafficRestrictions' as const, targets: named(limited) }] : []),
    ],
    sites.length,
  )
}

/** Resumes sites that were above a limit which no longer applies. */
async function liftLimits(db: Database, sites: LockedSite[]): Promise<void> {
  await sql`
    update sites set status = 1 where id = any(${idsOf(sites)}::int[]) and status = 2
      and ((limitations->>'trafficBytes')::bigint = 0 or month_bytes < (limitations->>'trafficBytes')::bigint)`.execute(
    db,
  )
}

/** Throws if a site's product has no backup group. */
async function requireBackup(db: Database, sites: LockedSite[]): Promise<void> {
  const having = await asSystem(db, (tx) =>
    tx
      .selectFrom('productGroups')
      .innerJoin('groups', 'groups.id', 'productGroups.groupId')
      .select('productGroups.productId')
      .distinct()
      .where('groups.isBackup', '=', true)
      .where('productGroups.productId', '=', anyOf(sites.map(({ productId }) => productId)))
      .execute(),
  )
  const targets = sites
    .filter(({ productId }) => !having.some((row) => row.productId === productId))
    .map(({ name }) => name)
  if (targets.length > 0) refuseAll([{ reason: 'parameterError', targets, extra: 'no backup group' }], sites.length)
}
