/** Sites in the database. Every query runs as the caller. */
import type { Site } from '@breakwater/contract/sites/sites.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'

export type SiteFilter = {
  siteId?: number | undefined
  siteName?: string | undefined
  status?: number | undefined
  tags?: string[] | undefined
  productId?: number | undefined
  productName?: string | undefined
  userId?: number | undefined
}

const statusNames = ['pause', 'normal', 'limit'] as const

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function filtered(db: Database, filter: SiteFilter) {
  let query = db
    .selectFrom('sites')
    .innerJoin('products', 'products.id', 'sites.productId')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .where('sites.removedAt', 'is', null)
  if (filter.siteId !== undefined) query = query.where('sites.id', '=', filter.siteId)
  if (filter.siteName) query = query.where('sites.name', 'ilike', like(filter.siteName))
  if (filter.status !== undefined && filter.status !== -1) query = query.where('sites.status', '=', filter.status)
  if (filter.tags && filter.tags.length > 0)
    query = query.where('sites.tags', '&&', sql<string[]>`${filter.tags}::text[]`)
  if (filter.productId !== undefined) query = query.where('sites.productId', '=', filter.productId)
  if (filter.productName) query = query.where('products.name', 'ilike', like(filter.productName))
  if (filter.userId !== undefined) query = query.where('sites.tenantId', '=', filter.userId)
  return query
}

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
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .execute()
  const { total } = await query.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

export function findSite(db: Database, siteId: number): Promise<SiteRow | undefined> {
  return columns(filtered(db, { siteId }) as unknown as Joined).executeTakeFirst()
}

/** A row as the API shows it. */
export function presentSite(row: SiteRow): Site {
  return {
    siteID: row.id,
    siteName: row.name,
    status: row.status,
    statusName: statusNames[row.status] ?? 'normal',
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
