/** Sites in the database. Every query runs as the caller. */

import type { Site } from '@breakwater/contract/sites/sites.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'

export type SiteFilter = {
  siteId?: number | undefined
  siteName?: string | undefined
  status?: number | undefined
  tags?: string[] | undefined
  productId?: number | undefined
  productName?: string | undefined
  /** An account of the customer. */
  userId?: number | undefined
  forceBackup?: boolean | undefined
}

const statusNames = ['pause', 'normal', 'limit'] as const
/** The status value that filters for expired sites. */
const expiredStatus = 3

const isExpired = sql<boolean>`sites.expired_at is not null and sites.expired_at <= now()`

function filtered(db: Database, filter: SiteFilter) {
  let query = db
    .selectFrom('sites')
    .innerJoin('products', 'products.id', 'sites.productId')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .where('sites.removedAt', 'is', null)
  if (filter.siteId !== undefined) query = query.where('sites.id', '=', filter.siteId)
  if (filter.siteName) query = query.where('sites.name', 'ilike', containing(filter.siteName))
  if (filter.status === expiredStatus) query = query.where('sites.status', '=', 1).where(isExpired)
  else if (filter.status !== undefined) query = query.where('sites.status', '=', filter.status)
  // An expired site is shown as expired, and not as normal.
  if (filter.status === 1) query = query.where(sql<boolean>`not coalesce(${isExpired}, false)`)
  if (filter.forceBackup !== undefined) query = query.where('sites.forceBackup', '=', filter.forceBackup)
  if (filter.tags && filter.tags.length > 0)
    query = query.where(
      sql<boolean>`exists (select from unnest(sites.tags) t where lower(t) = any(${filter.tags.map((tag) => tag.toLowerCase())}::text[]))`,
    )
  if (filter.productId !== undefined) query = query.where('sites.productId', '=', filter.productId)
  if (filter.productName) query = query.where('products.name', 'ilike', containing(filter.productName))
  if (filter.userId !== undefined) query = query.where('sites.tenantId', 'in', tenantOf(db, filter.userId))
  return query
}

const tenantOf = (db: Database, accountId: number) =>
  db.selectFrom('accounts').select('accounts.tenantId').where('accounts.id', '=', accountId).where('tier', '=', 'user')

type Joined =
  ReturnType<typeof filtered> extends SelectQueryBuilder<infer D, infer T, infer _O>
    ? SelectQueryBuilder<D, T, object>
    : never

const columns = (query: Joined) =>
  query
    .select([
      'sites.id',
      'sites.name',
      'sites.status',
      'sites.tags',
      'sites.productId',
      'sites.label',
      'sites.limitations',
      'sites.expiredAt',
    ])
    .select([
      'sites.forceBackup',
      'sites.revision',
      'sites.createdAt',
      'sites.tenantId',
      'products.name as productName',
      'tenants.name as tenantName',
    ])
    .select((on) =>
      on
        .selectFrom('domains')
        .whereRef('domains.siteId', '=', 'sites.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('domainCount'),
    )
    .select((on) =>
      on
        .selectFrom('accounts')
        .whereRef('accounts.tenantId', '=', 'sites.tenantId')
        .where('accounts.isRoot', '=', true)
        .select((root) => root.fn.min('accounts.id').as('id'))
        .as('userId'),
    )

export type SiteRow = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>

type Sort = { by: 'siteID' | 'siteName' | 'createdAt'; order: 'asc' | 'desc' }
const sortColumns = { siteID: 'sites.id', siteName: 'sites.name', createdAt: 'sites.createdAt' } as const

export async function listSites(
  db: Database,
  filter: SiteFilter,
  page: { page: number; pageSize: number },
  sort: Sort,
) {
  const query = filtered(db, filter) as unknown as Joined
  const rows = await columns(query)
    .orderBy(sortColumns[sort.by], sort.order)
    .orderBy('sites.id', sort.order)
    .$call(onePage(page))
    .execute()
  const total = await countOf(query)
  return { rows, total }
}

export function findSite(db: Database, siteId: number): Promise<SiteRow | undefined> {
  return columns(filtered(db, { siteId }) as unknown as Joined).executeTakeFirst()
}

const statusName = ({ status, expiredAt }: SiteRow): Site['statusName'] =>
  status === 1 && expiredAt !== null && expiredAt.getTime() <= Date.now()
    ? 'expired'
    : (statusNames[status] ?? 'normal')

/** A row in the API's format. */
export function presentSite(row: SiteRow): Site {
  return {
    siteID: row.id,
    siteName: row.name,
    status: row.status,
    statusName: statusName(row),
    tags: row.tags,
    productID: row.productId,
    productName: row.productName,
    limitations: row.limitations,
    expired: row.expiredAt?.toISOString() ?? null,
    forceBackup: row.forceBackup,
    revision: row.revision,
    domainCount: row.domainCount ?? 0,
    createdAt: row.createdAt.toISOString(),
  }
}
