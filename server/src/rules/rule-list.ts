/** The calls of every rule list, built from its declaration in the contract. */
import type { OrderedRuleList, RuleList, RuleMeta } from '@breakwater/contract/rule-list.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { changedMeanwhile } from '../http/based-on.ts'
import { Fault, fieldFault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { placesAfter, sortOfLast } from './order.ts'
import { type OwnerParams, type PublishedOwner, rulesOwner } from './owners.ts'
import type { RuleCheck } from './rule-check.ts'
import type { RuleSecrets, Taken } from './rule-secrets.ts'

type Item = Partial<RuleMeta> & Record<string, unknown>

/** The columns written for an item: those that every rule has, and its own fields as the body. */
function columnsOf<I extends z.ZodObject, O extends PublishedOwner>(list: RuleList<I, O>, item: Item) {
  const { enabled = true, mode = 'enforce', memo = '', expiresAt = null, ...body } = item
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

/**
 * The feature for one kind of rule. `check` checks a rule before it is saved; `secrets` stores its write-only fields.
 */
export function ruleListFeature<I extends z.ZodObject, O extends PublishedOwner>(
  { publisher }: Services,
  list: RuleList<I, O>,
  { check, secrets }: { check?: RuleCheck | undefined; secrets?: RuleSecrets | undefined } = {},
): Feature {
  const { kind, has, max } = list
  const { column, idOf } = rulesOwner(list.owner)
  // Inside, every kind of rule has one shape; its own fields matter only to the schema that already parsed them.
  const { calls } = list as unknown as OrderedRuleList
  const about = (verb: string) => ({ action: `${list.calls.update.audit?.replace(/\.update$/, '')}.${verb}` })
  const rulesOf = (db: Database, owner: number) =>
    db.selectFrom('rules').where(column, '=', owner).where('kind', '=', kind)
  const change = <T>(
    call: Parameters<typeof changeSite>[0] & OwnerParams,
    verb: string,
    run: (db: Database, owner: number, site: LockedSite, secretOf: Map<number, unknown>) => Promise<T>,
  ) =>
    changeSite(call, call.siteId, publisher, about(verb), async (db, site) => {
      const owner = await idOf(db, site, call, kind)
      const changed = new Map<number, unknown>()
      const result = await run(db, owner, site, changed)
      await secrets?.keep(db, site, owner, changed)
      return result
    })
  const take = async (item: Item): Promise<Taken> =>
    secrets ? secrets.take(item) : { item, shown: {}, secret: undefined }

  /** Counts under the site's lock, so that two concurrent calls cannot exceed the limit together. */
  async function requireRoom(db: Database, owner: number): Promise<void> {
    const n = await countOf(rulesOf(db, owner))
    if (n >= max) throw new Fault('itemsExceedLimit', { max })
  }

  /**
   * The first enabled rule that is identical, so that the new one would never take effect; null if there is none. Memo,
   * expiry and position make no difference.
   */
  async function sameAs(db: Database, owner: number, item: Item): Promise<number | null> {
    const { enabled: _, mode = 'enforce', memo: _memo, expiresAt: _expiresAt, ...body } = item
    const same = await rulesOf(db, owner)
      .select('id')
      .where('enabled', '=', true)
      .where('mode', '=', mode)
      .where(sql<boolean>`body - 'priority' = ${JSON.stringify(body)}::jsonb - 'priority'`)
      .orderBy('id')
      .executeTakeFirst()
    return same?.id ?? null
  }

  /**
   * A rule of an ordered list without a priority comes last. Under the site's lock, so that two concurrent ones keep
   * their order.
   */
  async function placed(db: Database, owner: number, item: Item): Promise<Item> {
    if (typeof item.priority === 'number') return item
    const { last } = await rulesOf(db, owner)
      .select((on) => on.fn.max('sort').as('last'))
      .executeTakeFirstOrThrow()
    return { ...item, priority: sortOfLast(last) }
  }

  /** Rejects a save over a change that the caller has not seen. Under the site's lock. */
  async function requireUnchanged(db: Database, owner: number, id: number, basedOn: string): Promise<void> {
    const row = await rulesOf(db, owner).select('updatedAt').where('id', '=', id).executeTakeFirst()
    if (!row) throw gone()
    if (row.updatedAt.getTime() === Date.parse(basedOn)) return
    throw changedMeanwhile('The rule was changed meanwhile')
  }

  /** What is shown in place of a secret: of the one that was sent, or the stored value if none was. */
  async function shownOf(db: Database, owner: number, id: number, { shown, secret }: Taken): Promise<Item> {
    if (!secrets || secret !== undefined) return shown
    const row = await rulesOf(db, owner).select('body').where('id', '=', id).executeTakeFirst()
    if (!row) throw gone()
    return Object.fromEntries(secrets.fields.map((field) => [field, row.body[field]]))
  }

  /** A rule that has expired before it is saved has no effect. One that expired since keeps its time. */
  function requireFuture({ expiresAt }: Item, before?: Date | null): void {
    if (!expiresAt || Date.parse(expiresAt) > Date.now()) return
    if (before?.getTime() !== Date.parse(expiresAt)) throw fieldFault('expiresAt', 'inThePast')
  }

  return implement(calls, {
    async list(call) {
      const { db, siteId, query } = call
      const ofKind = rulesOf(db, await idOf(db, await requireSite(db, siteId), call, kind))
      const rows = await ofKind.selectAll().orderBy('sort').orderBy('id').$call(onePage(query)).execute()
      const total = await countOf(ofKind)
      const data = rows.map(({ id, enabled, mode, memo, body, createdBy, ...row }) => ({
        id,
        ...body,
        enabled,
        ...(has.mode ? { mode } : {}),
        ...(has.memo ? { memo } : {}),
        ...(has.expiry ? { expiresAt: row.expiresAt?.toISOString() ?? null } : {}),
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
        createdBy,
      }))
      return { data, total }
    },

    async create(call) {
      requireFuture(call.body as Item)
      const taken = await take(call.body as Item)
      const sent: Item = { ...taken.item, ...taken.shown }
      return change(call, 'create', async (db, owner, site, secretOf) => {
        await requireRoom(db, owner)
        await check?.(db, site, [sent])
        // Secrets of rules are hashed: it is impossible to tell whether two are the same.
        const twin = secrets ? null : await sameAs(db, owner, sent)
        const item = calls.move ? await placed(db, owner, sent) : sent
        const row = {
          ...columnsOf(list, item),
          tenantId: site.tenantId,
          [column]: owner,
          kind,
          createdBy: call.caller.accountName,
        }
        const { id } = await db.insertInto('rules').values(row).returning('id').executeTakeFirstOrThrow()
        secretOf.set(id, taken.secret)
        return { id, sameAs: twin }
      })
    },

    async update(call) {
      const { id, basedOn, ...given } = call.body as Item & { id: number; basedOn?: string }
      const taken = await take(given)
      await change(call, 'update', async (db, owner, site, secretOf) => {
        const item: Item = { ...taken.item, ...(await shownOf(db, owner, id, taken)) }
        if (taken.secret !== undefined) secretOf.set(id, taken.secret)
        await check?.(db, site, [item])
        if (basedOn !== undefined) await requireUnchanged(db, owner, id, basedOn)
        if (item.expiresAt) {
          const saved = await rulesOf(db, owner).select('expiresAt').where('id', '=', id).executeTakeFirst()
          requireFuture(item, saved?.expiresAt)
        }
        const set = { ...columnsOf(list, item), updatedAt: sql<Date>`now()` }
        const row = await db
          .updateTable('rules')
          .set(set)
          .where(column, '=', owner)
          .where('kind', '=', kind)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        if (!row) throw gone()
      })
    },

    async remove(call) {
      await change(call, 'remove', async (db, owner) => {
        await db
          .deleteFrom('rules')
          .where(column, '=', owner)
          .where('kind', '=', kind)
          .where('id', 'in', call.body.ids)
          .execute()
      })
    },

    async switch(call) {
      const { ids, enabled, mode } = call.body
      await change(call, 'update', async (db, owner) => {
        const rows = await db
          .updateTable('rules')
          .set({
            ...(enabled === undefined ? {} : { enabled }),
            ...(mode === undefined ? {} : { mode }),
            updatedAt: sql<Date>`now()`,
          })
          .where(column, '=', owner)
          .where('kind', '=', kind)
          .where('id', 'in', ids)
          .returning('id')
          .execute()
        if (rows.length < new Set(ids).size) throw gone()
      })
    },

    // Only ordered lists have this call.
    async move(call) {
      await change(call, 'move', async (db, owner) => {
        const rows = await rulesOf(db, owner).select(['id', 'sort']).orderBy('sort').orderBy('id').execute()
        if (!rows.some(({ id }) => id === call.body.id)) throw gone()
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
