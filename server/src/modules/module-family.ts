/**
 * The calls of a module family, built from its declaration in the contract. A module is shared by domains of several
 * sites of one customer: a change publishes every site bound to it.
 */
import type { ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { boundSites, requireRoom } from './bindings.ts'
import { modulesOfKind } from './modules-of-kind.ts'

/** An item with its id, in the order in which items are evaluated. */
export type SavedItem<Item> = Item & { id: number }

/** Fields of items that are stored sealed, separately from the items. */
export type Secrets = {
  /**
   * Splits an item into what is stored in the row and its secret. `before` is the stored row when an item is changed;
   * parts of the secret that are not given stay as they are.
   */
  take(item: Row, before: Record<string, unknown> | undefined): { item: Row; secret: (string | undefined)[] }
  /** Stores secrets by item id; undefined deletes those of a removed item. Runs under the module's lock. */
  keep(
    db: Database,
    module: { id: number; tenantId: number },
    changes: ReadonlyMap<number, (string | undefined)[] | undefined>,
  ): Promise<void>
}

type Hooks<Item> = {
  secrets?: Secrets
  /**
   * Rejects items that conflict with each other. `written` are those that the call wrote; all of them if it bound a
   * domain.
   */
  check?(db: Database, module: { id: number }, items: SavedItem<Item>[], written: Written): Promise<void>
}
/** Ids of items, and the path of an item's field in the call's body. */
export type Written = { ids: ReadonlySet<number>; fieldOf: (id: number, field: string) => string }
type Row = Record<string, unknown> & { enabled: boolean; priority?: number }

const changedText = 'The module was changed meanwhile'

export function moduleFeature<Item extends z.ZodObject>(
  { publisher }: Services,
  family: ModuleFamily<Item>,
  { check, secrets }: Hooks<z.output<Item>> = {},
): Feature {
  const { kind, count, max, siteMax, uniqueKey, twice, hasSettings, addsOne } = family
  // Inside, every family has one shape; an item's own fields matter only to the schema that already parsed them.
  const calls = family.calls as unknown as ModuleFamily['calls']
  const { own, requireModule, requireChangeable, publishBound, remove, bind } = modulesOfKind(publisher, kind)

  /** The settings of a module are stored apart from its name; a family without settings stores none. */
  const moduleRow = ({ name, memo, ...body }: { name: string; memo: string }) =>
    hasSettings ? { name, memo, body: JSON.stringify(body) as never } : { name, memo }

  const rowOf = ({ enabled, ...body }: Row) => ({
    enabled,
    body: JSON.stringify(body),
    sort: body.priority ?? 0,
    uniqueKey: uniqueKey?.({ enabled, ...body } as z.output<Item>) ?? null,
  })

  /** Reports a duplicate at the field of the key, if the call is about one item. */
  const refuseTwice = async <T>(field: string | undefined, run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      if (twice && (error as { code?: string }).code === '23505')
        throw new Fault(twice, field && [{ field, reason: twice }])
      throw error
    }
  }

  /** Counted under the modules' locks, so that two concurrent calls cannot exceed the limit together. */
  async function requireRoomOfSites(db: Database, sites: number[]): Promise<void> {
    if (siteMax) await requireRoom(db, kind, siteMax, sites)
  }

  async function checkItems(
    db: Database,
    module: { id: number },
    ids: number[] | undefined,
    fieldOf: Written['fieldOf'],
  ) {
    if (!check) return
    const rows = await db
      .selectFrom('rules')
      .select(['id', 'enabled', 'body'])
      .where('moduleId', '=', module.id)
      .orderBy('sort')
      .orderBy('id')
      .execute()
    const items = rows.map(
      ({ id, enabled, body }) => ({ id, enabled, ...body }) as unknown as SavedItem<z.output<Item>>,
    )
    await check(db, module, items, { ids: new Set(ids ?? rows.map(({ id }) => id)), fieldOf })
  }

  /** The stored row of an item that is being changed. */
  async function readItem(db: Database, moduleId: number, id: number): Promise<Record<string, unknown>> {
    const row = await db
      .selectFrom('rules')
      .select(['body', 'enabled'])
      .where('moduleId', '=', moduleId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw gone()
    return { ...row.body, enabled: row.enabled }
  }

  return implement(calls, {
    async list({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const ofKind = own(db, site.tenantId)
      const rows = await ofKind
        .select(['id', 'name', 'memo', 'body'])
        .select(sql<number>`(select count(*)::int from rules r where r.module_id = modules.id)`.as('items'))
        .select(
          sql<number>`(select count(*)::int from domain_modules b where b.module_id = modules.id)`.as('domainCount'),
        )
        .orderBy('id')
        .$call(onePage(query))
        .execute()
      const total = await countOf(ofKind)
      const data = rows.map(({ items, body, ...row }) => ({ ...(hasSettings && body), ...row, [count]: items }))
      return { data, total }
    },

    async create({ db, siteId, body, audit }) {
      const site = await requireSite(db, siteId)
      const rows = await db
        .insertInto('modules')
        .values(body.modules.map((module) => ({ ...moduleRow(module), tenantId: site.tenantId, kind })))
        .returning('id')
        .execute()
      const ids = rows.map((row) => row.id)
      audit.detail = { ids, ...(hasSettings && { added: body.modules }) }
      return { ids }
    },

    remove,

    async update({ db, siteId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const { id, basedOn, ...sent } = body
      const [module] = await requireChangeable(db, site.tenantId, [id])
      const { name, memo, body: before } = module!
      requireUnchanged(basedOn, { ...(hasSettings && before), name, memo }, changedText)
      await db.updateTable('modules').set(moduleRow(sent)).where('id', '=', id).execute()
      if (hasSettings) await publishBound({ db, siteId, caller, audit }, { id, name: sent.name }, calls.update.audit!)
      audit.detail = { before: { name, memo, ...(hasSettings && before) }, after: sent }
    },

    async items({ db, siteId, moduleId, query }) {
      const site = await requireSite(db, siteId)
      const module = await requireModule(db, site.tenantId, moduleId)
      const ofModule = db.selectFrom('rules').where('moduleId', '=', module.id)
      const rows = await ofModule
        .select(['id', 'enabled', 'body'])
        .orderBy('sort')
        .orderBy('id')
        .$call(onePage(query))
        .execute()
      const total = await countOf(ofModule)
      return { data: rows.map(({ id, enabled, body }) => ({ id, enabled, ...body })), total }
    },

    async addItems({ db, siteId, moduleId, body, caller, audit }) {
      const items = addsOne ? [body as unknown as Row] : (body.items as Row[])
      const site = await requireSite(db, siteId)
      const [module] = await requireChangeable(db, site.tenantId, [moduleId])
      const n = await countOf(db.selectFrom('rules').where('moduleId', '=', moduleId))
      if (n + items.length > max)
        throw siteMax ? new Fault(siteMax.fault, { max: siteMax.max }) : new Fault('itemsExceedLimit', { max })
      const place = { tenantId: site.tenantId, moduleId, kind, createdBy: caller.accountName }
      const taken = items.map((item) => secrets?.take(item, undefined) ?? { item, secret: [] })
      const rows = taken.map(({ item }) => ({ ...rowOf(item), ...place }))
      const made = await refuseTwice(rows.length === 1 ? 'items.0.key' : undefined, () =>
        db.insertInto('rules').values(rows).returning('id').execute(),
      )
      const ids = made.map(({ id }) => id)
      await secrets?.keep(db, module!, new Map(ids.map((id, at) => [id, taken[at]!.secret])))
      await requireRoomOfSites(db, await boundSites(db, moduleId))
      await checkItems(db, module!, ids, (id, field) => (addsOne ? field : `items.${ids.indexOf(id)}.${field}`))
      await publishBound({ db, siteId, caller, audit }, module!, calls.addItems.audit!)
      audit.detail = { module: moduleId, name: module!.name, added: taken.map(({ item }) => item) }
      return (addsOne ? { id: ids[0] } : { ids }) as { ids: number[] }
    },

    async removeItems({ db, siteId, moduleId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const [module] = await requireChangeable(db, site.tenantId, [moduleId])
      await db.deleteFrom('rules').where('moduleId', '=', moduleId).where('id', 'in', body.ids).execute()
      await secrets?.keep(db, module!, new Map(body.ids.map((id) => [id, undefined])))
      await publishBound({ db, siteId, caller, audit }, module!, calls.removeItems.audit!)
      audit.detail = { module: moduleId, name: module!.name, removed: body.ids }
    },

    async updateItem({ db, siteId, moduleId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const [module] = await requireChangeable(db, site.tenantId, [moduleId])
      const { id, basedOn, ...sent } = body
      const before = (secrets || basedOn) && (await readItem(db, moduleId, id))
      if (before) requireUnchanged(basedOn, before, changedText)
      const { item, secret } = secrets?.take(sent as unknown as Row, before) ?? {
        item: sent as unknown as Row,
        secret: [],
      }
      const row = await refuseTwice('key', () =>
        db
          .updateTable('rules')
          .set({ ...rowOf(item), updatedAt: new Date() })
          .where('moduleId', '=', moduleId)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst(),
      )
      if (!row) throw gone()
      await secrets?.keep(db, module!, new Map([[id, secret]]))
      await checkItems(db, module!, [id], (_, field) => field)
      await publishBound({ db, siteId, caller, audit }, module!, calls.updateItem.audit!)
      audit.detail = { module: moduleId, name: module!.name, changed: { id, ...item } }
    },

    async bind(call) {
      await bind(call, calls.bind.audit!, call.body, async (db, site, module) => {
        await requireRoomOfSites(db, [site.id])
        if (module) await checkItems(db, module, undefined, () => family.bindAs)
      })
    },
  })
}
