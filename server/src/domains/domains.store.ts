/** Domains and their origins in the database. Runs as the caller unless noted. */

import type { Domain, UpstreamInput } from '@breakwater/contract/domains/domains.ts'
import { asSystem, type Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { anyOf } from '../publish/gather.ts'
import { certStatusOf } from './certificate-status.ts'
import { nameMatches, tagged } from './find-domains.ts'
import { proofPath } from './proof.ts'

type DomainRow = Awaited<ReturnType<typeof findDomain>>
export type UpstreamRow = UpstreamInput & { id: number; domainId: number }

export type DomainFilter = {
  ids?: number[] | undefined
  status?: number | undefined
  ownership?: 'pending' | 'proven' | 'approved' | 'preview' | undefined
  cnameStatuses?: number[] | undefined
  keywords?: string | undefined
  tags?: string[] | undefined
  forceSSL?: boolean | undefined
  certStatus?: number | undefined
  createdAtStart?: number | undefined
  createdAtEnd?: number | undefined
  updatedAtStart?: number | undefined
  updatedAtEnd?: number | undefined
}
type Sort = { by: 'name' | 'createdAt' | 'updatedAt'; order: 'asc' | 'desc' }

/**
 * For a site that the caller may see. Queried as the system: checking a policy for each of thousands of rows takes too
 * long.
 */
export function listDomains(
  db: Database,
  siteId: number,
  filter: DomainFilter,
  page: { page: number; pageSize: number },
  sort: Sort,
) {
  return asSystem(db, (tx) => readDomains(tx, siteId, filter, page, sort))
}

async function readDomains(
  db: Database,
  siteId: number,
  filter: DomainFilter,
  page: { page: number; pageSize: number },
  sort: Sort,
) {
  let query = db.selectFrom('domains').where('siteId', '=', siteId)
  if (filter.ids) query = query.where('id', '=', anyOf(filter.ids))
  if (filter.keywords) query = query.where(await nameMatches(db, filter.keywords))
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.ownership !== undefined) query = query.where('ownership', '=', filter.ownership)
  if (filter.cnameStatuses && filter.cnameStatuses.length > 0)
    query = query.where('dnsState', 'in', filter.cnameStatuses)
  if (filter.tags && filter.tags.length > 0) query = query.where(tagged(filter.tags))
  if (filter.forceSSL !== undefined) query = query.where('forceSsl', '=', filter.forceSSL)
  if (filter.certStatus !== undefined) query = query.where(certStatusOf, '=', filter.certStatus)
  if (filter.createdAtStart !== undefined) query = query.where('createdAt', '>=', new Date(filter.createdAtStart))
  if (filter.createdAtEnd !== undefined) query = query.where('createdAt', '<', new Date(filter.createdAtEnd))
  if (filter.updatedAtStart !== undefined) query = query.where('updatedAt', '>=', new Date(filter.updatedAtStart))
  if (filter.updatedAtEnd !== undefined) query = query.where('updatedAt', '<', new Date(filter.updatedAtEnd))
  const rows = await query
    .selectAll()
    .select(certStatusOf.as('certStatus'))
    .orderBy(sort.by, sort.order)
    .orderBy('id')
    .$call(onePage(page))
    .execute()
  const total = await countOf(query)
  return { rows, total }
}

export function findDomain(db: Database, siteId: number, where: { id: number } | { name: string }) {
  const query = db.selectFrom('domains').selectAll().select(certStatusOf.as('certStatus')).where('siteId', '=', siteId)
  return ('id' in where ? query.where('id', '=', where.id) : query.where('name', '=', where.name)).executeTakeFirst()
}

export async function upstreamsOf(db: Database, domainIds: number[]): Promise<UpstreamRow[]> {
  if (domainIds.length === 0) return []
  return db
    .selectFrom('upstreams')
    .select(['id', 'domainId', 'ip', 'port', 'weight', 'backup', 'enabled', 'tls', 'memo'])
    .where('domainId', '=', anyOf(domainIds))
    .orderBy('id')
    .execute()
}

/** Returns the ids in the order of the origins. */
export async function insertUpstreams(
  db: Database,
  domain: { id: number; tenantId: number },
  upstreams: UpstreamInput[],
): Promise<number[]> {
  const rows = await db
    .insertInto('upstreams')
    .values(upstreams.map((upstream) => ({ ...upstream, tenantId: domain.tenantId, domainId: domain.id })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const countEnabled = (db: Database, domainId: number): Promise<number> =>
  countOf(db.selectFrom('upstreams').where('domainId', '=', domainId).where('enabled', '=', true))

/** The record or file that proves ownership of a domain. */
export const proofRecord = (name: string, proof: string) => ({
  recordName: `_breakwater.${name.replace(/^\*\./, '')}`,
  recordValue: `breakwater=${proof}`,
  filePath: name.startsWith('*.') ? '' : proofPath,
})

/** A list with one entry, the last check, as the specification requires. */
export const cnameStatusesOf = (state: number): number[] => [state]

/** A row as the API returns it. `cname` is what its DNS must point to. */
export function presentDomain(
  row: NonNullable<DomainRow>,
  upstreams: UpstreamRow[],
  cname: string,
  modules: Domain['modules'],
): Domain {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    tags: row.tags,
    cnameStatuses: cnameStatusesOf(row.dnsState),
    checkedAt: row.dnsCheckedAt?.toISOString() ?? null,
    forceSSL: row.forceSsl,
    certStatus: row.certStatus,
    scheme: row.scheme,
    portMap: row.portMap,
    upstreams: upstreams
      .filter((upstream) => upstream.domainId === row.id)
      .map(({ domainId: _, ...upstream }) => upstream),
    balance: row.balance,
    autoSSL: row.autoSsl,
    cname,
    modules,
    ownership: { state: row.ownership, ...proofRecord(row.name, row.proof) },
  }
}
