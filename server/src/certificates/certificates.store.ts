/** Certificates in the database. Every query runs as the caller. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'
import { anyOf, grouped } from '../publish/gather.ts'
import { removeSiteSecret, writeSiteSecret } from '../secrets/store.ts'
import type { Vault } from '../secrets/vault.ts'
import type { ReadCertificate } from './read-certificate.ts'

/** The name of the secret that holds a certificate's key. */
export const keyName = (id: number): string => `certificate-${id}`

type Owner = { id: number; tenantId: number }
type Page = {
  page: number
  pageSize: number
  sortBy?: 'name' | 'createdAt' | 'expired' | undefined
  orderBy: 'asc' | 'desc'
}

const columns = [
  ...(['id', 'name', 'source', 'chain', 'names', 'algorithm', 'issuer', 'fingerprint'] as const),
  ...(['notBefore', 'notAfter', 'keyVersion', 'createdAt'] as const),
] as const

export async function listCertificates(db: Database, siteId: number, name: string | undefined, page: Page) {
  let query = db.selectFrom('certificates').where('siteId', '=', siteId)
  if (name) query = query.where('name', 'ilike', containing(name))
  const { sortBy = 'createdAt', orderBy } = page
  const rows = await query
    .select(columns)
    .orderBy(sortBy === 'expired' ? 'notAfter' : sortBy, orderBy)
    .orderBy('id')
    .$call(onePage(page))
    .execute()
  const total = await countOf(query)
  return { rows, total }
}

export const findCertificate = (db: Database, siteId: number, id: number) =>
  db.selectFrom('certificates').select(columns).where('siteId', '=', siteId).where('id', '=', id).executeTakeFirst()

export type CertificateRow = NonNullable<Awaited<ReturnType<typeof findCertificate>>>

/**
 * The names of the domains that use each certificate: those it is assigned to, or those an automatic one was ordered
 * for.
 */
export async function domainsOf(db: Database, siteId: number, ids: number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select b.certificate_id as id, d.name from domain_certificates b join domains d on d.id = b.domain_id
    where b.certificate_id = any(${ids}::int[])
    union select c.id, d.name from certificates c
    join domains d on d.site_id = c.site_id and d.auto_ssl and d.name = any(c.names)
    where c.site_id = ${siteId} and c.source = 'automatic' and c.id = any(${ids}::int[])
    order by name`.execute(db)
  return grouped(rows, ({ id, name }) => [id, name])
}

/** Stores a new certificate with its key sealed. Returns its id. */
export async function insertCertificate(
  db: Database,
  vault: Vault,
  site: Owner,
  certificate: ReadCertificate & { name: string; source: 'upload' | 'automatic' },
  key: string,
): Promise<number> {
  const { id } = await db
    .insertInto('certificates')
    .values({ ...certificate, keyVersion: 1, tenantId: site.tenantId, siteId: site.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeSiteSecret(db, vault, site, keyName(id), Buffer.from(key))
  return id
}

/** Replaces a certificate. A new key gets a new version: nodes that do not know of it yet still request the old one. */
export async function replaceCertificate(
  db: Database,
  vault: Vault,
  site: Owner,
  id: number,
  certificate: ReadCertificate,
  key: string | undefined,
): Promise<void> {
  const version = key === undefined ? undefined : await writeSiteSecret(db, vault, site, keyName(id), Buffer.from(key))
  await db
    .updateTable('certificates')
    .set({ ...certificate, ...(version !== undefined && { keyVersion: version }), updatedAt: new Date() })
    .where('id', '=', id)
    .execute()
  if (version !== undefined)
    await db
      .deleteFrom('secrets')
      .where('siteId', '=', site.id)
      .where('name', '=', keyName(id))
      .where('version', '<', version - 1)
      .execute()
}

export async function removeCertificates(db: Database, site: Owner, ids: number[]): Promise<void> {
  const rows = await db
    .deleteFrom('certificates')
    .where('siteId', '=', site.id)
    .where('id', '=', anyOf(ids))
    .returning('id')
    .execute()
  for (const { id } of rows) await removeSiteSecret(db, site, keyName(id))
}
