/** Sites: what an account has, making one, leaving with one. */
import { randomBytes } from 'node:crypto'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { makeLicenseGate } from '../licenses/limits.ts'
import { publishStatus } from '../nodes/publish-status.ts'
import { publishSite, requireSite } from '../publish/change-site.ts'
import { cnameOf, previewHost } from '../publish/render.ts'
import { trafficOfMonth } from '../statistics/traffic.ts'
import { placeOf } from './place.ts'
import { findSite, listSites, presentSite } from './sites.store.ts'

/** Sites that one customer may have until an operator says otherwise (205001). */
const sitesPerTenantMax = 1000

/** A DNS label nobody can guess: what customers point at must not be claimable by others. */
const newLabel = (): string => `s${randomBytes(8).toString('hex')}`

const { resourceInfo, ...transactional } = sites

export function sitesFeature(services: Services): Feature {
  return [...siteCalls(services), ...resourceCalls(services)]
}

function siteCalls({ env, vault: _ }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(transactional, {
    async listOwn({ db, query }) {
      const { page, pageSize, productID, ...filter } = query
      const { rows, total } = await listSites(
        db,
        { ...filter, productId: productID },
        { page, pageSize },
        { by: 'createdAt', order: 'desc' },
      )
      return { data: rows.map(presentSite), total }
    },

    async listAll({ db, query }) {
      const { page, pageSize, sortBy = 'createdAt', orderBy, siteID, userID, ...filter } = query
      const { rows, total } = await listSites(
        db,
        { ...filter, siteId: siteID, userId: userID },
        { page, pageSize },
        { by: sortBy, order: orderBy },
      )
      return {
        data: rows.map((row) => ({ ...presentSite(row), user: { id: row.tenantId, name: row.tenantName } })),
        total,
      }
    },

    async meta({ db }) {
      const rows = await db
        .selectFrom('sites')
        .select(['id', 'name'])
        .where('removedAt', 'is', null)
        .orderBy('name')
        .execute()
      return { data: rows.map(({ id, name }) => ({ siteID: id, siteName: name })), total: rows.length }
    },

    async get({ db, siteId }) {
      const row = await findSite(db, siteId)
      if (!row) throw new Fault('permissionDenied')
      const place = await asSystem(db, (tx) => placeOf(tx, row.productId))
      const label = previewHost(row.label)
      return {
        ...presentSite(row),
        zoneID: place?.zoneId ?? 0,
        zoneName: place?.zoneName ?? '',
        preview: {
          host: label,
          cname: cnameOf(env.edgeDomain, row.label, place?.groupLabel),
          httpPort: env.edgeHttpPort,
          httpsPort: env.edgeHttpsPort,
          nodeAddress: place?.nodeIp || '127.0.0.1',
        },
      }
    },

    async create({ db, caller, body, audit }) {
      const product = await productFor(db, body.productID)
      await db.selectFrom('accounts').select('id').where('id', '=', caller.accountId).forUpdate().execute()
      const { n } = await db
        .selectFrom('sites')
        .where('removedAt', 'is', null)
        .where('tenantId', '=', caller.tenantId)
        .select((on) => on.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      if (n >= sitesPerTenantMax) throw new Fault('sitesExceedLimit')
      await makeLicenseGate(env).requireRoom(db, caller.tenantId, 'sites')
      const row = await db
        .insertInto('sites')
        .values({
          tenantId: caller.tenantId,
          productId: product.id,
          name: body.siteName,
          label: newLabel(),
          tags: body.tags,
          limitations: JSON.stringify(product.limitations),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const site = await requireSite(db, row.id)
      await publishSite(db, site, publisher, { actor: caller.accountName, action: 'site.create' })
      audit.siteId = site.id
      audit.detail = { siteName: body.siteName }
      return { siteID: row.id }
    },

    async remove({ db, caller, body, audit }) {
      const site = await requireSite(db, body.siteID)
      if (site.name !== body.siteName) throw fieldFault('siteName', 'notTheSame')
      await db.updateTable('domains').set({ status: 0 }).where('siteId', '=', site.id).execute()
      await db.updateTable('sites').set({ status: 0 }).where('id', '=', site.id).execute()
      await publishSite(db, site, publisher, { actor: caller.accountName, action: 'site.remove' })
      // The row stays, hidden, so that the label is never issued again and the history can be read by the operator.
      await db.deleteFrom('domains').where('siteId', '=', site.id).execute()
      await db.deleteFrom('secrets').where('siteId', '=', site.id).execute()
      await db.updateTable('sites').set({ removedAt: new Date() }).where('id', '=', site.id).execute()
      audit.siteId = site.id
      audit.detail = { siteName: site.name }
    },

    async publishStatus({ db, siteId }) {
      const site = await requireSite(db, siteId)
      return asSystem(db, (tx) => publishStatus(tx, site.id))
    },
  })
}

/** The product of a new site: the one asked for, or the first marked self-service. */
async function productFor(db: Database, productId: number | undefined) {
  let query = db.selectFrom('products').select(['id', 'limitations']).where('isSelfService', '=', true).orderBy('id')
  if (productId !== undefined) query = query.where('id', '=', productId)
  const product = await query.executeTakeFirst()
  if (!product) throw fieldFault('productID', 'unknownProduct')
  return product
}

function resourceCalls({ env, events }: Services): Feature {
  return implementOpen(
    { resourceInfo },
    {
      async resourceInfo({ transact, caller }) {
        const { ids, domainCount } = await transact(async (db) => {
          const rows = await db.selectFrom('sites').select('id').where('tenantId', '=', caller.tenantId).execute()
          const { n } = await db
            .selectFrom('domains')
            .where('tenantId', '=', caller.tenantId)
            .select((on) => on.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow()
          return { ids: rows.map((row) => row.id), domainCount: n }
        })
        const siteCount = await transact((db) =>
          db
            .selectFrom('sites')
            .where('tenantId', '=', caller.tenantId)
            .where('removedAt', 'is', null)
            .select((on) => on.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow(),
        )
        const traffic = await trafficOfMonth(events, ids, env.accountingTimeZone)
        return {
          siteCount: siteCount.n,
          domainCount,
          currentMonthTraffic: traffic.current,
          lastMonthTraffic: traffic.last,
        }
      },
    },
  )
}
