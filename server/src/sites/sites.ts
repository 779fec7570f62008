/** Sites: listing an account's sites, creating one, removing one. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { asSystem, type Database } from '../db/database.ts'
import { countOf } from '../db/paging.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import { publishStatus } from '../nodes/publish-status.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { cnameOf, previewHost } from '../publish/host-names.ts'
import { trafficOfMonth } from '../statistics/traffic.ts'
import { makeSite } from './make-site.ts'
import { removeSites } from './remove-sites.ts'
import { placeOf } from './serving-zone.ts'
import { findSite, listSites, presentSite } from './sites.store.ts'

const { resourceInfo, ...transactional } = sites

export function sitesFeature(services: Services): Feature {
  return [...siteCalls(services), ...resourceCalls(services)]
}

function siteCalls({ env, publisher }: Services): Feature {
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
      const { page, pageSize, sortBy = 'createdAt', orderBy, siteID, userID, productID, ...filter } = query
      const { rows, total } = await listSites(
        db,
        { ...filter, siteId: siteID, userId: userID, productId: productID },
        { page, pageSize },
        { by: sortBy, order: orderBy },
      )
      return {
        data: rows.map((row) => ({ ...presentSite(row), user: { id: row.userId ?? 0, name: row.tenantName } })),
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
      await requireSite(db, siteId)
      const row = await findSite(db, siteId)
      if (!row) throw new Fault('permissionDenied')
      const place = await asSystem(db, (tx) => placeOf(tx, row))
      const label = previewHost(row.label)
      return {
        ...presentSite(row),
        user: { id: row.tenantId, name: row.tenantName },
        zoneID: place?.zoneId ?? 0,
        zoneName: place?.zoneName ?? '',
        preview: {
          host: label,
          cname: cnameOf(env.edgeDomain, row.label, place?.groupLabel),
          httpPort: env.edgeHttpPort,
          httpsPort: env.edgeHttpsPort,
          nodeAddress: place?.addresses[0] ?? '127.0.0.1',
          addresses: place?.addresses ?? ['127.0.0.1'],
          addressesArePrivate: place?.addressesArePrivate ?? true,
        },
      }
    },

    async create({ db, caller, body, audit }) {
      const product = await productFor(db, body.productID)
      const about = { tenantId: caller.tenantId, actor: caller.accountName, action: 'site.create', product }
      const site = await makeSite(db, { env, publisher }, about, body)
      audit.siteId = site.id
      audit.detail = { siteName: body.siteName }
      return { siteID: site.id }
    },

    async remove({ db, caller, body, audit }) {
      const site = await requireSite(db, body.siteID)
      if (site.name !== body.siteName) throw fieldFault('siteName', 'notTheSame')
      await removeSites(db, [site], publisher, { actor: caller.accountName, action: 'site.remove' })
      audit.siteId = site.id
      audit.detail = { siteName: site.name }
    },

    async publishStatus({ db, siteId }) {
      const site = await requireSite(db, siteId)
      return asSystem(db, (tx) => publishStatus(tx, site.id))
    },
  })
}

/** The product of a new site: the requested one, or the first marked self-service. */
async function productFor(db: Database, productId: number | undefined) {
  let query = db
    .selectFrom('products')
    .select(['id', 'limitations', 'sitesMax'])
    .where('isSelfService', '=', true)
    .orderBy('id')
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
          const domainCount = await countOf(db.selectFrom('domains').where('tenantId', '=', caller.tenantId))
          return { ids: rows.map((row) => row.id), domainCount }
        })
        const siteCount = await transact((db) =>
          countOf(db.selectFrom('sites').where('tenantId', '=', caller.tenantId).where('removedAt', 'is', null)),
        )
        const traffic = await trafficOfMonth(events, ids, env.accountingTimeZone)
        return {
          siteCount,
          domainCount,
          currentMonthTraffic: traffic.current,
          lastMonthTraffic: traffic.last,
        }
      },
    },
  )
}
