/** The four calls of every rule list, from its declaration in the contract. */
import type { OrderedRuleList, RuleList, RuleMeta } from '@breakwater/contract/rule-list.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { placesAfter, sortOfLast } from './order.ts'

type Item = RuleMeta & Record<string, unknown>

/** What is written of an item: columns that every rule has, and its own fields as the body. */
function columnsOf<I extends z.ZodObject>(list: RuleList<I>, item: Item) {
  const { enabled, mode, memo, expiresAt, ...body } = item
  return {
    enabled,
    mode,
    memo,
    expiresAt,
    body: JSON.stringify(body),
    sort: typeof body.priority === 'number' ? body.priority : 0,
    uniqueKey: list.uniqueKey?.(item as z.output<I>) ?? null,
  }
}

/** Counts under the site's lock, so that two calls at once cannot pass the limit together. */
async function requireRoom(db: Database, site: LockedSite, kind: string, max: number): Promise<void> {
  const { n } = await db
    .selectFrom('rules')
    .where('siteId', '=', site.id)
    .where('kind', '=', kind)
    .select((on) => on.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= max) throw new Fault('itemsExceedLimit', { max })
}

/** A rule of an ordered list that says no priority comes last. Under the site's lock, so that two at once keep their order. */
async function placed(db: Database, site: LockedSite, kind: string, item: Item): Promise<Item> {
  if (typeof item.priority === 'number') return item
  const { last } = await db
    .selectFrom('rules')
    .where('siteId', '=', site.id)
    .where('kind', '=', kind)
    .select((on) => on.fn.max('sort').as('last'))
    .executeTakeFirstOrThrow()
  return { ...item, priority: sortOfLast(last) }
}

/** The feature of one kind of rule. */
export function ruleListFeature<I extends z.ZodObject>({ env }: Services, list: RuleList<I>): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  const { kind } = list
  // Inside, every kind of rule is one shape; its own fields matter only to the schema that already parsed them.
  const { calls } = list as unknown as OrderedRuleList
  const about = (verb: string) => ({ action: `${list.calls.update.audit?.replace(/\.update$/, '')}.${verb}` })
  return implement(calls, {
    async list({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const ofKind = db.selectFrom('rules').where('siteId', '=', site.id).where('kind', '=', kind)
      const rows = await ofKind
        .selectAll()
        .orderBy('sort')
        .orderBy('id')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute()
      const { total } = await ofKind.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const data = rows.map(({ id, enabled, mode, memo, body, createdBy, ...row }) => ({
        id,
        ...body,
        enabled,
        mode,
        memo,
        expiresAt: row.expiresAt?.toISOString() ?? null,
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
        createdBy,
      }))
      return { data, total }
    },

    async create(call) {
      return changeSite(call, call.siteId, publisher, about('create'), async (db, site) => {
        await requireRoom(db, site, kind, list.max)
        const item = calls.move ? await placed(db, site, kind, call.body as Item) : (call.body as Item)
        const row = {
          ...columnsOf(list, item),
          tenantId: site.tenantId,
          siteId: site.id,
          kind,
          createdBy: call.caller.accountName,
        }
        return db.insertInto('rules').values(row).returning('id').executeTakeFirstOrThrow()
      })
    },

    async update(call) {
      const { id, ...item } = call.body as Item & { id: number }
      await changeSite(call, call.siteId, publisher, about('update'), async (db, site) => {
        const set = { ...columnsOf(list, item as Item), updatedAt: sql<Date>`now()` }
        const row = await db
          .updateTable('rules')
          .set(set)
          .where('siteId', '=', site.id)
          .where('kind', '=', kind)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        if (!row) throw new Fault('permissionDenied')
      })
    },

    async remove(call) {
      await changeSite(call, call.siteId, publisher, about('remove'), async (db, site) => {
        await db
          .deleteFrom('rules')
          .where('siteId', '=', site.id)
          .where('kind', '=', kind)
          .where('id', 'in', call.body.ids)
          .execute()
      })
    },

    async switch(call) {
      const { ids, enabled, mode } = call.body
      await changeSite(call, call.siteId, publisher, about('update'), async (db, site) => {
        const rows = await db
          .updateTable('rules')
          .set({
            ...(enabled === undefined ? {} : { enabled }),
            ...(mode === undefined ? {} : { mode }),
            updatedAt: sql<Date>`now()`,
          })
          .where('siteId', '=', site.id)
          .where('kind', '=', kind)
          .where('id', 'in', ids)
          .returning('id')
          .execute()
        if (rows.length < new Set(ids).size) throw new Fault('permissionDenied')
      })
    },

    // Only lists that have an order have the call.
    async move(call) {
      await changeSite(call, call.siteId, publisher, about('move'), async (db, site) => {
        const rows = await db
          .selectFrom('rules')
          .select(['id', 'sort'])
          .where('siteId', '=', site.id)
          .where('kind', '=', kind)
          .orderBy('sort')
          .orderBy('id')
          .execute()
        if (!rows.some(({ id }) => id === call.body.id)) throw new Fault('permissionDenied')
        for (const { id, sort } of placesAfter(rows, call.body.id, call.body.to)) {
          const body = sql<Record<string, unknown>>`jsonb_set(body, '{priority}', to_jsonb(${sort}::int))`
          await db
            .updateTable('rules')
            .set({ sort, body: body as never, updatedAt: sql<Date>`now()` })
            .where('id', '=', id)
            .execute()
        }
      })
    },
  })
}
