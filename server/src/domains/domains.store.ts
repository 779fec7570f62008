/** Domains and their origins in the database. Every query runs as the caller. */
import type { Domain, UpstreamInput } from '@breakwater/contract/domains/domains.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

type DomainRow = { [K in keyof Tables['domains']]: unknown } & Awaited<ReturnType<typeof findDomain>>
export type UpstreamRow = UpstreamInput & { id: number; domainId: number }

export type DomainFilter = {
  keywords?: string | undefined
  tags?: string[] | undefined
  forceSSL?: boolean | undefined
  createdAtStart?: number | undefined
  createdAtEnd?: number | undefined
  updatedAtStart?: number | undefined
  updatedAtEnd?: number | undefined
}
type Sort = { by: 'name' | 'createdAt' | 'updatedAt'; order: 'asc' | 'desc' }

export async function listDomains(
  db: Database,
  siteId: number,
  filter: DomainFilter,
  page: { page: number; pageSize: number },
  sort: Sort,
) {
  let query = db.selectFrom('domains').where('siteId', '=', siteId)
  if (filter.keywords) query = query.where('name', 'ilike', `%${filter.keywords.replace(/[\\%_]/g, '\\$&')}%`)
  if (filter.tags && filter.tags.length > 0) query = query.where('tags', '&&', sql<string[]>`${filter.tags}::text[]`)
  if (filter.forceSSL !== undefined) query = query.where('forceSsl', '=', filter.forceSSL)
  if (filter.createdAtStart !== undefined) query = query.where('createdAt', '>=', new Date(filter.createdAtStart))
  if (filter.createdAtEnd !== undefined) query = query.where('createdAt', '<', new Date(filter.createdAtEnd))
  if (filter.updatedAtStart !== undefined) query = query.where('updatedAt', '>=', new Date(filter.updatedAtStart))
  if (filter.updatedAtEnd !== undefined) query = query.where('updatedAt', '<', new Date(filter.updatedAtEnd))
  const rows = await query
    .selectAll()
    .orderBy(sort.by, sort.order)
    .orderBy('id')
    .limit(page.pageSize)
    .offset((page.page - 1) * page.pageSize)
    .execute()
  const { total } = await query.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

export function findDomain(db: Database, siteId: number, where: { id: number } | { name: string }) {
  const query = db.selectFrom('domains').selectAll().where('siteId', '=', siteId)
  return ('id' in where ? query.where('id', '=', where.id) : query.where('name', '=', where.name)).executeTakeFirst()
}

export async function upstreamsOf(db: Database, domainIds: number[]): Promise<UpstreamRow[]> {
  if (domainIds.length === 0) return []
  return db
    .selectFrom('upstreams')
    .select(['id', 'domainId', 'ip', 'port', 'weight', 'backup', 'enabled', 'tls', 'memo'])
    .where('domainId', 'in', domainIds)
    .orderBy('id')
    .execute()
}

export function insertUpstreams(db: Database, domain: { id: number; tenantId: number }, upstreams: UpstreamInput[]) {
  return db
    .insertInto('upstreams')
    .values(upstreams.map((upstream) => ({ ...upstream, tenantId: domain.tenantId, domainId: domain.id })))
    .execute()
}

export const countEnabled = async (db: Database, domainId: number): Promise<number> =>
  (
    await db
      .selectFrom('upstreams')
      .where('domainId', '=', domainId)
      .where('enabled', '=', true)
      .select((on) => on.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

/** The record that proves a domain's owner. */
export const proofRecord = (name: string, proof: string) => ({
  recordName: `_breakwater.${name.replace(/^\*\./, '')}`,
  recordValue: `breakwater=${proof}`,
})

/** A row as the API shows it. `cname` is what its DNS shall point at. */
export function presentDomain(row: NonNullable<DomainRow>, upstreams: UpstreamRow[], cname: string): Domain {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    tags: row.tags,
    cnameStatuses: [0],
    forceSSL: row.forceSsl,
    certStatus: 0,
    scheme: row.scheme,
    portMap: row.portMap,
    upstreams: upstreams
      .filter((upstream) => upstream.domainId === row.id)
      .map(({ domainId: _, ...upstream }) => upstream),
    balance: row.balance,
    autoSSL: row.autoSsl,
    cname,
    ownership: { state: row.ownership, ...proofRecord(row.name, row.proof) },
  }
}
