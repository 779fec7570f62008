/** Creates a site: by a customer on a self-service product, or by the operator for a customer. */
import { randomBytes } from 'node:crypto'
import type { Limitations } from '@breakwater/contract/sites/limitations.ts'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { countOf } from '../db/paging.ts'
import { Fault } from '../http/fault.ts'
import { makeLicenseChecks } from '../licenses/limits.ts'
import type { Services } from '../process/services.ts'
import { sitesOf } from '../products/products.store.ts'
import { publishSite, requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { operatorOf } from '../settings/operator-of.ts'

/** Sites that one customer may have by default (205001). */
const sitesPerTenantMax = 1000

/** A DNS label that cannot be guessed: nobody else may claim what customers' DNS points at. */
const newLabel = (): string => `s${randomBytes(8).toString('hex')}`

type Making = {
  tenantId: number
  actor: string
  action: string
  product: { id: number; sitesMax: number; limitations: Limitations }
}
type Given = { siteName: string; tags: string[]; limitations?: Limitations | undefined; expiredAt?: Date | null }

/** Throws 205001 if the customer's or the licence's limit is reached, 204003 if the product's is. */
export async function makeSite(
  db: Database,
  { env, publisher }: Pick<Services, 'env' | 'publisher'>,
  { tenantId, actor, action, product }: Making,
  given: Given,
): Promise<LockedSite> {
  if (product.sitesMax > 0) {
    await lockTenant(db, await asSystem(db, (tx) => operatorOf(tx, tenantId)))
    if ((await sitesOf(db, product.id)) >= product.sitesMax)
      throw new Fault('productSitesExceedLimit', { max: product.sitesMax })
  }
  await lockTenant(db, tenantId)
  const n = await countOf(db.selectFrom('sites').where('removedAt', 'is', null).where('tenantId', '=', tenantId))
  if (n >= sitesPerTenantMax) throw new Fault('sitesExceedLimit')
  await makeLicenseChecks(env).requireRoom(db, tenantId, 'sites')
  const { id } = await db
    .insertInto('sites')
    .values({
      tenantId,
      productId: product.id,
      name: given.siteName,
      label: newLabel(),
      tags: given.tags,
      limitations: JSON.stringify(given.limitations ?? product.limitations),
      expiredAt: given.expiredAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const site = await requireSite(db, id)
  await publishSite(db, site, publisher, { actor, action })
  return site
}
