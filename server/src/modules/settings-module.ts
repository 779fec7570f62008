/** The calls of a family whose modules have settings and no items, built from its declaration in the contract. */
import type { BasedOn } from '@breakwater/contract/based-on.ts'
import type { SettingsModule } from '@breakwater/contract/modules/module-family.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { countOf, onePage } from '../db/paging.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { modulesOfKind } from './modules-of-kind.ts'

type Sent = { name: string; memo: string } & Record<string, unknown>

const rowOf = ({ name, memo, ...body }: Sent) => ({ name, memo, body: JSON.stringify(body) as never })

export function settingsModuleFeature<Body extends z.ZodObject>(
  { publisher }: Services,
  family: SettingsModule<Body>,
): Feature {
  const { kind, bindAs } = family
  // Inside, every family has one shape; its own fields matter only to the schema that already parsed them.
  const calls = family.calls as unknown as SettingsModule['calls']
  const { own, requireChangeable, publishBound, remove, bind } = modulesOfKind(publisher, kind)

  return implement(calls, {
    async list({ db, siteId, query }) {
      const ofKind = own(db, (await requireSite(db, siteId)).tenantId)
      const rows = await ofKind
        .select(['id', 'name', 'memo', 'body'])
        .select(
          sql<number>`(select count(*)::int from domain_modules b where b.module_id = modules.id)`.as('domainCount'),
        )
        .orderBy('id')
        .$call(onePage(query))
        .execute()
      const total = await countOf(ofKind)
      return { data: rows.map(({ body, ...row }) => ({ ...body, ...row })), total }
    },

    async create({ db, siteId, body, audit }) {
      const { tenantId } = await requireSite(db, siteId)
      const modules = (body.modules as Sent[]).map((module) => ({ ...rowOf(module), tenantId, kind }))
      const rows = await db.insertInto('modules').values(modules).returning('id').execute()
      const ids = rows.map((row) => row.id)
      audit.detail = { ids, added: body.modules }
      return { ids }
    },

    remove,

    async update({ db, siteId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const { id, basedOn, ...sent } = body as Sent & { id: number; basedOn?: BasedOn }
      const [module] = await requireChangeable(db, site.tenantId, [id])
      const { name, memo, body: before } = module!
      requireUnchanged(basedOn, { ...before, name, memo }, 'The module was changed meanwhile')
      await db.updateTable('modules').set(rowOf(sent)).where('id', '=', id).execute()
      await publishBound({ db, siteId, caller, audit }, { id, name: sent.name }, calls.update.audit!)
      audit.detail = { module: id, before: { name, memo, ...before }, after: sent }
    },

    async bind(call) {
      const { domainIDs, [bindAs]: moduleID } = call.body as { domainIDs: number[] } & Record<string, number>
      await bind(call, calls.bind.audit!, { domainIDs, moduleID: moduleID! })
    },
  })
}
