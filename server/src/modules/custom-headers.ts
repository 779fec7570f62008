/** Custom header modules: shared by domains of several sites of one customer. A change publishes every site that is bound. */
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { publishMany } from '../publish/change-many.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { lockSites } from '../publish/locked-sites.ts'
import type { Publisher } from '../publish/publish-sites.ts'
import { boundSites } from './bound-sites.ts'

const kind = 'customHeaders'
const headersMax = 100

type Header = { type: 'response' | 'request'; key: string; value: string; enabled: boolean }

const rowOf = ({ enabled, ...body }: Header) => ({
  enabled,
  body: JSON.stringify(body),
  uniqueKey: `${body.type}:${body.key.toLowerCase()}`,
})

const ofKind = (db: Database, tenantId: number) =>
  db.selectFrom('modules').select(['id', 'tenantId', 'name']).where('tenantId', '=', tenantId).where('kind', '=', kind)

/** A module of the site's own tenant, else the refusal that a missing one gets. */
async function requireModule(db: Database, tenantId: number, moduleId: number) {
  const module = await ofKind(db, tenantId).where('id', '=', moduleId).executeTakeFirst()
  if (!module) throw new Fault('permissionDenied')
  return module
}

/** The same for a change of it: who reaches only some sites may not change what acts on others (the lock asks for that right). */
async function requireChangeable(db: Database, tenantId: number, ids: number[]) {
  const rows = await ofKind(db, tenantId).where('id', 'in', ids).orderBy('id').forUpdate().execute()
  if (rows.length !== new Set(ids).size) throw new Fault('permissionDenied')
  return rows
}

const requireOne = async (db: Database, tenantId: number, id: number) =>
  (await requireChangeable(db, tenantId, [id]))[0]!

/** A second header with the same key in one direction: 10102502, not the general 101025. */
const refuseDuplicates = async <T>(run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw new Fault('duplicateHeaderKeys')
    throw error
  }
}

async function publishBound(
  db: Database,
  module: { id: number; name: string },
  publisher: Publisher,
  actor: string,
  action: string,
): Promise<void> {
  const sites = await lockSites(db, await boundSites(db, module.id))
  await publishMany(db, sites, publisher, { actor, action, summary: module.name })
}

export function customHeadersFeature({ env }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(customHeaders, {
    async list({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const own = db.selectFrom('modules').where('tenantId', '=', site.tenantId).where('kind', '=', kind)
      const rows = await own
        .select(['id', 'name', 'memo'])
        .select((on) =>
          on
            .selectFrom('rules')
            .whereRef('rules.moduleId', '=', 'modules.id')
            .select((count) => count.fn.countAll<number>().as('n'))
            .as('headerCount'),
        )
        .select((on) =>
          on
            .selectFrom('domains')
            .whereRef('domains.customHeaderModuleId', '=', 'modules.id')
            .select((count) => count.fn.countAll<number>().as('n'))
            .as('domainCount'),
        )
        .orderBy('id')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute()
      const { total } = await own.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      return {
        data: rows.map((row) => ({ ...row, headerCount: row.headerCount ?? 0, domainCount: row.domainCount ?? 0 })),
        total,
      }
    },

    async create({ db, siteId, body, audit }) {
      const site = await requireSite(db, siteId)
      const rows = await db
        .insertInto('modules')
        .values(body.modules.map((module) => ({ ...module, tenantId: site.tenantId, kind })))
        .returning('id')
        .execute()
      audit.detail = { ids: rows.map((row) => row.id) }
      return { ids: rows.map((row) => row.id) }
    },

    async remove({ db, siteId, body, audit }) {
      const site = await requireSite(db, siteId)
      await requireChangeable(db, site.tenantId, body.ids)
      const bound = await db
        .selectFrom('domains')
        .select('id')
        .where('customHeaderModuleId', 'in', body.ids)
        .executeTakeFirst()
      if (bound) throw new Fault('parameterError', 'module in use')
      await db
        .deleteFrom('modules')
        .where('tenantId', '=', site.tenantId)
        .where('kind', '=', kind)
        .where('id', 'in', body.ids)
        .execute()
      audit.detail = { ids: body.ids }
    },

    async update({ db, siteId, body, audit }) {
      const site = await requireSite(db, siteId)
      const module = await requireOne(db, site.tenantId, body.id)
      await db.updateTable('modules').set({ name: body.name, memo: body.memo }).where('id', '=', module.id).execute()
      audit.detail = { before: { name: module.name }, after: { name: body.name } }
    },

    async headers({ db, siteId, moduleId, query }) {
      const site = await requireSite(db, siteId)
      const module = await requireModule(db, site.tenantId, moduleId)
      const ofModule = db.selectFrom('rules').where('moduleId', '=', module.id)
      const rows = await ofModule
        .select(['id', 'enabled', 'body'])
        .orderBy('id')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute()
      const { total } = await ofModule.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      return {
        data: rows.map(({ id, enabled, body }) => ({ id, enabled, ...(body as Omit<Header, 'enabled'>) })),
        total,
      }
    },

    async addHeaders({ db, siteId, moduleId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const module = await requireOne(db, site.tenantId, moduleId)
      const { n } = await db
        .selectFrom('rules')
        .where('moduleId', '=', module.id)
        .select((on) => on.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      if (n + body.items.length > headersMax) throw new Fault('itemsExceedLimit', { max: headersMax })
      const rows = body.items.map((item) => ({
        ...rowOf(item),
        tenantId: site.tenantId,
        moduleId: module.id,
        kind,
        createdBy: caller.accountName,
      }))
      await refuseDuplicates(() => db.insertInto('rules').values(rows).execute())
      await publishBound(db, module, publisher, caller.accountName, 'site.module.customHeader.headers.create')
      audit.detail = { module: module.id, name: module.name, added: body.items }
    },

    async removeHeaders({ db, siteId, moduleId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const module = await requireOne(db, site.tenantId, moduleId)
      await db.deleteFrom('rules').where('moduleId', '=', module.id).where('id', 'in', body.ids).execute()
      await publishBound(db, module, publisher, caller.accountName, 'site.module.customHeader.headers.remove')
      audit.detail = { module: module.id, name: module.name, removed: body.ids }
    },

    async updateHeader({ db, siteId, moduleId, body, caller, audit }) {
      const site = await requireSite(db, siteId)
      const module = await requireOne(db, site.tenantId, moduleId)
      const { id, ...header } = body
      const row = await refuseDuplicates(() =>
        db
          .updateTable('rules')
          .set({ ...rowOf(header), updatedAt: new Date() })
          .where('moduleId', '=', module.id)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst(),
      )
      if (!row) throw new Fault('permissionDenied')
      await publishBound(db, module, publisher, caller.accountName, 'site.module.customHeader.header.update')
      audit.detail = { module: module.id, name: module.name, changed: body }
    },

    async bind(call) {
      const { domainIDs, moduleID } = call.body
      await changeSite(
        call,
        call.siteId,
        publisher,
        { action: 'site.domains.module.customHeader' },
        async (db, site) => {
          const module = moduleID === 0 ? undefined : await requireModule(db, site.tenantId, moduleID)
          const rows = await db
            .updateTable('domains')
            .set({ customHeaderModuleId: module?.id ?? null, updatedAt: new Date() })
            .where('siteId', '=', site.id)
            .where('id', 'in', domainIDs)
            .returning('id')
            .execute()
          if (rows.length !== new Set(domainIDs).size) throw new Fault('permissionDenied')
        },
      )
    },
  })
}
