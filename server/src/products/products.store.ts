/** Products in the database. Every query runs as the caller. */
import { asSystem, type Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { anyOf, grouped } from '../publish/gather.ts'

const productRows = (db: Database) =>
  db
    .selectFrom('products')
    .select(['id', 'name', 'portType', 'isSelfService', 'sitesMax', 'limitations'])
    .select((on) =>
      on
        .selectFrom('sites')
        .whereRef('sites.productId', '=', 'products.id')
        .where('sites.removedAt', 'is', null)
        .select((count) => count.fn.countAll<number>().as('n'))
        .as('siteCount'),
    )

export type ProductRow = Awaited<ReturnType<ReturnType<typeof productRows>['executeTakeFirstOrThrow']>>

export async function listProducts(db: Database, page: { page: number; pageSize: number }) {
  const rows = await productRows(db).orderBy('name').orderBy('id').$call(onePage(page)).execute()
  const total = await countOf(db.selectFrom('products'))
  return { rows, total }
}

export const findProduct = (db: Database, id: number): Promise<ProductRow | undefined> =>
  productRows(db).where('id', '=', id).executeTakeFirst()

/** The groups of products, by product, main ones first. */
export async function groupsOfProducts(db: Database, productIds: number[]) {
  const rows = await db
    .selectFrom('productGroups')
    .innerJoin('groups', 'groups.id', 'productGroups.groupId')
    .innerJoin('zones', 'zones.id', 'groups.zoneId')
    .select(['productGroups.productId', 'zones.id as zoneId', 'zones.name as zoneName'])
    .select(['groups.id as groupId', 'groups.name as groupName', 'groups.portType', 'groups.isBackup'])
    .where('productGroups.productId', '=', anyOf(productIds))
    .orderBy('groups.isBackup')
    .orderBy('zones.name')
    .orderBy('groups.id')
    .execute()
  return grouped(rows, ({ productId, zoneId, groupId, ...group }) => [
    productId,
    { ...group, zoneID: zoneId, groupID: groupId },
  ])
}

/** The products on which a customer has sites or may create them. */
export async function offeredProducts(
  db: Database,
  page: { page: number; pageSize: number },
  ids: number[] | undefined,
) {
  let query = db
    .selectFrom('products')
    .where((on) =>
      on.or([
        on('isSelfService', '=', true),
        on.exists(
          on
            .selectFrom('sites')
            .select('sites.id')
            .whereRef('sites.productId', '=', 'products.id')
            .where('sites.removedAt', 'is', null),
        ),
      ]),
    )
  if (ids && ids.length > 0) query = query.where('id', '=', anyOf(ids))
  const rows = await query
    .select(['id', 'name', 'portType', 'isSelfService'])
    .orderBy('name')
    .orderBy('id')
    .$call(onePage(page))
    .execute()
  const total = await countOf(query)
  return { rows, total }
}

/** The number of sites of a product, including those that the caller cannot see. */
export const sitesOf = (db: Database, productId: number): Promise<number> =>
  asSystem(db, async (tx) => {
    return countOf(tx.selectFrom('sites').where('productId', '=', productId).where('removedAt', 'is', null))
  })
