/** Brands and their images in the database. */
import { type BrandImage, brandImages } from '@breakwater/contract/brand/brand.ts'
import { type SqlBool, sql } from 'kysely'
import type { BrandHashes } from '../db/brand-tables.ts'
import { asSystem, type Database, withSystem } from '../db/database.ts'
import type { Encoded } from './encode.ts'

/** The URL path of an image. It contains the hash, so a URL always shows the same image. */
export const imageAddress = (hash: string | undefined): string => (hash ? `/brand/${hash}` : '')

/** The path of every image, by field; empty if there is none. */
export const addressesOf = (hashes: BrandHashes): Record<BrandImage, string> =>
  Object.fromEntries(brandImages.map((name) => [name, imageAddress(hashes[name])])) as Record<BrandImage, string>

/**
 * The brand of a console for a host name: one that names the host, otherwise one without hosts. The latter is only
 * taken from the first operator; any others of an installation are recognized by their hosts.
 */
export function findBrand(db: Database, tier: string, host: string) {
  return withSystem(db, (tx) =>
    tx
      .selectFrom('brands')
      .select(['texts', 'accent', 'images'])
      .where(sql<SqlBool>`tiers @> array[${tier}]`)
      .where(
        sql<SqlBool>`(hosts @> array[${host}] or (hosts = '{}' and tenant_id = (select min(id) from tenants where kind = 'operator')))`,
      )
      .orderBy(sql`cardinality(hosts)`, 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  )
}

/** Brands are changed one at a time: the check for taken hosts spans operators, and images are shared. */
export const lockBrands = (db: Database) => sql`select pg_advisory_xact_lock(7312037)`.execute(db)

/**
 * The index of the first host that another brand already names; -1 if both name no hosts; undefined if all are free.
 */
export async function takenHost(
  db: Database,
  brand: { id: number; tenantId: number; tiers: readonly string[]; hosts: readonly string[] },
): Promise<number | undefined> {
  const { id, tenantId, tiers, hosts } = brand
  const others = await asSystem(db, (tx) =>
    tx
      .selectFrom('brands')
      .select('hosts')
      .where('id', '!=', id)
      .where(sql<SqlBool>`tiers && ${tiers as string[]}::text[]`)
      .where(
        hosts.length > 0
          ? sql<SqlBool>`hosts && ${hosts as string[]}::text[]`
          : sql<SqlBool>`hosts = '{}' and tenant_id = ${tenantId}`,
      )
      .execute(),
  )
  if (others.length === 0) return undefined
  return hosts.findIndex((host) => others.some((other) => other.hosts.includes(host)))
}

export async function keepImages(db: Database, tenantId: number, images: readonly Encoded[]): Promise<void> {
  if (images.length === 0) return
  await asSystem(db, (tx) =>
    tx
      .insertInto('brandImages')
      .values(images.map((image) => ({ ...image, tenantId })))
      .onConflict((on) => on.columns(['hash', 'tenantId']).doNothing())
      .execute(),
  )
}

/** Removes an operator's images that none of its brands uses any more. */
export async function dropUnshownImages(db: Database, tenantId: number): Promise<void> {
  await asSystem(db, (tx) =>
    sql`delete from brand_images i where tenant_id = ${tenantId} and not exists (
      select from brands b, jsonb_each_text(b.images) shown where b.tenant_id = i.tenant_id and shown.value = i.hash
    )`.execute(tx),
  )
}
