/** Products of the operator, and those offered to customers. */
import { products } from '@breakwater/contract/products/products.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { publishMany } from '../publish/change-many.ts'
import { lockSites } from '../publish/locked-sites.ts'
import type { About } from '../publish/publish-sites.ts'
import type { Publisher } from '../publish/publisher.ts'
import { checkGroups, type GroupChoice } from './product-groups.ts'
import {
  findProduct,
  groupsOfProducts,
  listProducts,
  offeredProducts,
  type ProductRow,
  sitesOf,
} from './products.store.ts'

/** The limits of a site if the operator does not set them. */
const defaultLimitations = { domains: 100, ports: 20, trafficBytes: 0 }

export function productsFeature({ publisher }: Pick<Services, 'publisher'>): Feature {
  return implement(products, {
    async list({ db, query }) {
      const { rows, total } = await listProducts(db, query)
      const groups = await groupsOfProducts(
        db,
        rows.map(({ id }) => id),
      )
      return { data: rows.map((row) => present(row, groups.get(row.id) ?? [])), total }
    },

    async meta({ db }) {
      const data = await db
        .selectFrom('products')
        .select(['id', 'name', 'portType'])
        .orderBy('name')
        .orderBy('id')
        .execute()
      return { data, total: data.length }
    },

    async create({ db, caller, body, audit }) {
      await lockTenant(db, caller.tenantId)
      await requireFreeName(db, body.name)
      const groupIds = await checkGroups(db, { id: 0, portType: body.portType }, body.groups)
      const row = {
        operatorId: caller.tenantId,
        name: body.name,
        portType: body.portType,
        isSelfService: body.selfService ?? false,
        sitesMax: body.siteLimit ?? 0,
        limitations: JSON.stringify(body.limitations ?? defaultLimitations),
      }
      const id = await asSystem(db, async (tx) => {
        const made = await tx.insertInto('products').values(row).returning('id').executeTakeFirstOrThrow()
        await setGroups(tx, made.id, groupIds)
        return made.id
      })
      audit.detail = { ...body, id }
      return { id }
    },

    async update({ db, caller, body, audit }) {
      await lockTenant(db, caller.tenantId)
      const { basedOn, ...sent } = body
      const product = await findProduct(db, body.id)
      if (!product) throw gone()
      if (basedOn) {
        const groups = (await groupsOfProducts(db, [product.id])).get(product.id) ?? []
        requireUnchanged(basedOn, present(product, groups), 'The product was changed meanwhile')
      }
      await requireFreeName(db, body.name, product.id)
      const portType = body.portType ?? product.portType
      // Sites have only what their port type supports: it cannot change once there are sites.
      if (portType !== product.portType && (await sitesOf(db, product.id)) > 0) throw new Fault('illegalPortType')
      const groupIds = await checkGroups(db, { id: product.id, portType }, body.groups)
      const set = {
        name: body.name,
        portType,
        isSelfService: body.selfService ?? product.isSelfService,
        sitesMax: body.siteLimit ?? product.sitesMax,
        limitations: JSON.stringify(body.limitations ?? product.limitations),
      }
      const about = { actor: caller.accountName, action: products.update.audit!, summary: body.name }
      await asSystem(db, async (tx) => {
        await tx.updateTable('products').set(set).where('id', '=', product.id).execute()
        if (await setGroups(tx, product.id, groupIds)) await publishProduct(tx, product.id, publisher, about)
      })
      audit.detail = { ...sent, before: { name: product.name, groups: await named(db, product.id) } }
    },

    async remove({ db, caller, body, audit }) {
      await lockTenant(db, caller.tenantId)
      const product = await findProduct(db, body.id)
      if (!product) throw gone()
      const used = await sitesOf(db, product.id)
      if (used > 0) throw new Fault('productInUse', `${used} sites use ${product.name}`)
      await asSystem(db, async (tx) => {
        // Removed sites keep their rows for the history, and so the row of their product.
        const kept = await tx.selectFrom('sites').select('id').where('productId', '=', product.id).executeTakeFirst()
        if (kept) await retire(tx, product.id)
        else await tx.deleteFrom('products').where('id', '=', product.id).execute()
      })
      audit.detail = { id: product.id, name: product.name }
    },

    async groups({ db, id, query }) {
      const product = await findProduct(db, id)
      if (!product) throw gone()
      const data = ((await groupsOfProducts(db, [product.id])).get(product.id) ?? [])
        .filter(({ isBackup }) => query.isBackup === undefined || isBackup === query.isBackup)
        .map(({ groupID, groupName, portType, isBackup, zoneID }) => ({
          id: groupID,
          name: groupName,
          portType,
          isBackup,
          zoneID,
        }))
      return { data, total: data.length }
    },

    async offered({ db, query }) {
      const { rows, total } = await offeredProducts(db, query, query.productIDs)
      const data = rows.map(({ id, name, portType, isSelfService }) => ({
        productID: id,
        productName: name,
        portType,
        selfService: isSelfService,
      }))
      return { data, total }
    },
  })
}

type Groups = Awaited<ReturnType<typeof groupsOfProducts>> extends Map<number, infer G> ? G : never

const present = (row: ProductRow, groups: Groups) => ({
  id: row.id,
  name: row.name,
  portType: row.portType,
  groups: groups.map(({ portType: _, ...group }) => group),
  siteCount: row.siteCount ?? 0,
  limitations: row.limitations,
  selfService: row.isSelfService,
  siteLimit: row.sitesMax,
})

const named = async (db: Database, productId: number) =>
  ((await groupsOfProducts(db, [productId])).get(productId) ?? []).map(({ zoneID, groupID, isBackup }) => ({
    zoneID,
    groupID,
    isBackup,
  })) satisfies GroupChoice[]

/** Throws 101025 at the name. The operator is locked. */
async function requireFreeName(db: Database, name: string, except = 0): Promise<void> {
  const taken = await db
    .selectFrom('products')
    .select('id')
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst()
  if (taken) throw new Fault('duplicatedData', [{ field: 'name', reason: 'duplicatedData' }])
}

/** Returns whether anything changed. Runs as the system. */
async function setGroups(db: Database, productId: number, groupIds: number[]): Promise<boolean> {
  const gone = await db
    .deleteFrom('productGroups')
    .where('productId', '=', productId)
    .where('groupId', 'not in', groupIds)
    .returning('groupId')
    .execute()
  const added = await db
    .insertInto('productGroups')
    .values(groupIds.map((groupId) => ({ productId, groupId })))
    .onConflict((on) => on.doNothing())
    .returning('groupId')
    .execute()
  return gone.length + added.length > 0
}

/** Publishes all sites of a product to its groups. Runs as the system. */
async function publishProduct(db: Database, productId: number, publisher: Publisher, about: About): Promise<void> {
  const rows = await db
    .selectFrom('sites')
    .select('id')
    .where('productId', '=', productId)
    .where('removedAt', 'is', null)
    .execute()
  const sites = await lockSites(
    db,
    rows.map(({ id }) => id),
  )
  if (sites.length > 0) await publishMany(db, sites, publisher, about)
}

/** Hides a product that only removed sites refer to. Runs as the system. */
async function retire(db: Database, productId: number): Promise<void> {
  await db.deleteFrom('productGroups').where('productId', '=', productId).execute()
  await sql`update products set retired_at = now(), is_self_service = false where id = ${productId}`.execute(db)
}
