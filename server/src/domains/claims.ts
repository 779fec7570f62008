/**
 * Who holds a name. Proof of ownership by DNS outranks an operator's approval: a name held only by an approval goes to
 * whoever proves it. Names that the edge itself assigns (previews, entrances) cannot be claimed.
 */
import { asSystem, type Database } from '../db/database.ts'
import { isPreviewName } from '../publish/host-names.ts'
import { lockSites } from '../publish/locked-sites.ts'
import { publishSites } from '../publish/publish-sites.ts'
import type { Publisher } from '../publish/publisher.ts'

export type Holding = 'proven' | 'approved'

/**
 * Gives a pending domain to its site, taking the name from any site that holds it only by an approval. Returns false if
 * another site has proven it already, or if it is no longer pending. Locks the sites concerned; the caller publishes
 * the claiming site.
 */
export async function claim(
  db: Database,
  domain: { id: number; siteId: number; name: string },
  publisher: Publisher,
  requestId: string,
): Promise<boolean> {
  if ((await takenOf(db, [domain.name], domain.siteId, '', ['proven'])).length > 0) return false
  await displaceApproved(db, domain.name, domain.siteId, publisher, requestId)
  const row = await db
    .updateTable('domains')
    .set({ ownership: 'proven', updatedAt: new Date() })
    .where('id', '=', domain.id)
    .where('siteId', '=', domain.siteId)
    .where('ownership', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a name, or a wildcard that covers it, belongs to the edge. */
function isOwnName(name: string, edgeDomain: string): boolean {
  const bare = name.replace(/^\*\./, '')
  return isPreviewName(bare) || (edgeDomain !== '' && `.${bare}`.endsWith(`.${edgeDomain}`))
}

/**
 * The names held in one of these ways by another site, or by the edge itself (401001). Queried as the system; the
 * result names no owner.
 */
export async function takenOf(
  db: Database,
  names: string[],
  siteId: number,
  edgeDomain: string,
  by: Holding[] = ['proven', 'approved'],
): Promise<string[]> {
  const rows = await asSystem(db, (tx) =>
    tx
      .selectFrom('domains')
      .select('name')
      .distinct()
      .where('name', 'in', names)
      .where('siteId', '!=', siteId)
      .where('status', '=', 1)
      .where('ownership', 'in', by)
      .execute(),
  )
  const taken = new Set(rows.map((row) => row.name))
  return names.filter((name) => taken.has(name) || isOwnName(name, edgeDomain))
}

/**
 * Takes a name from sites that hold it only by an approval: there it becomes pending, and they are published without it
 * before the claiming site is. Locks all sites concerned, including the claiming one. The entry in the previous
 * holder's audit log does not say who proved the name.
 */
export async function displaceApproved(
  db: Database,
  name: string,
  claimant: number,
  publisher: Publisher,
  requestId: string,
): Promise<void> {
  await asSystem(db, async (tx) => {
    const held = tx
      .selectFrom('domains')
      .select(['id', 'siteId'])
      .where('name', '=', name)
      .where('siteId', '!=', claimant)
      .where('ownership', '=', 'approved')
    const siteIds = (await held.execute()).map(({ siteId }) => siteId)
    const sites = (await lockSites(tx, [...siteIds, claimant])).filter(({ id }) => id !== claimant)
    const rows = await held.where('siteId', 'in', [0, ...sites.map(({ id }) => id)]).execute()
    if (rows.length === 0) return
    const ids = rows.map(({ id }) => id)
    await tx
      .updateTable('domains')
      .set({ ownership: 'pending', updatedAt: new Date() })
      .where('id', 'in', ids)
      .execute()
    const losing = sites.filter(({ id }) => rows.some(({ siteId }) => siteId === id))
    await publishSites(tx, losing, publisher, { actor: '', action: 'site.domain.displaced', summary: name })
    for (const { id: siteId, tenantId } of losing) {
      await tx
        .insertInto('audit')
        .values({
          tenantId,
          accountName: '',
          tier: 'user',
          action: 'site.domain.displaced',
          method: 'POST',
          url: '',
          requestId,
          address: '',
          siteId,
          detail: JSON.stringify({ name, ownership: 'pending' }),
        })
        .execute()
    }
  })
}
