/** Error pages of a site and of its operator: their calls, and what nodes get of both. */
import {
  type ErrorPage,
  errorPageStatuses,
  operatorErrorPages,
  pageBytesMax,
  siteErrorPages,
} from '@breakwater/contract/delivery/error-pages.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { publishMany } from '../publish/change-many.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { anyOf } from '../publish/gather.ts'
import { lockSites } from '../publish/locked-sites.ts'
import type { Gather, Parts, SitePart } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import { gatherSites } from '../publish/site-part.ts'
import { readSettings } from '../settings/owned-settings.ts'
import { cleanHtml } from './clean-html.ts'

const name = 'errorPages'
const Page = z.object({ content: z.string(), enabled: z.boolean(), intercept: z.boolean() })
/** By status. */
const Pages = z.record(z.string(), Page)
type Pages = z.output<typeof Pages>

const shown = (pages: Pages): ErrorPage[] =>
  Object.values(errorPageStatuses).flatMap((status) => {
    const page = pages[status]
    return page ? [{ status, ...page }] : []
  })

/** What is saved of a page: no active content. Escaping and closing tags may make it longer than what was sent. */
function savedPage({ content, enabled, intercept }: ErrorPage): z.output<typeof Page> {
  const clean = cleanHtml(content)
  if (Buffer.byteLength(clean) > 2 * pageBytesMax) throw fieldFault('content', 'charactersExceedLimit')
  return { content: clean, enabled, intercept }
}

const edgePages = (pages: Pages) => shown(pages).flatMap(({ enabled, ...page }) => (enabled ? [page] : []))

function render(pages: Pages, out: Rendering): void {
  const told = edgePages(pages)
  if (told.length > 0) out.errorPages.push(out.keepShared(pages, () => ({ kind: 'errorPages', pages: told })))
}

const ownPart: SitePart<Pages> = {
  owner: 'site',
  name: `settings/${name}`,
  schema: Pages,
  gather: gatherSites,
  empty: {},
  items: (pages) => Object.entries(pages).map(([status, page]) => [`settings/${name}/${status}`, page]),
  async restore(db, site, pages) {
    await write(db, site.id, sql`${JSON.stringify(pages)}::jsonb`)
  },
  render,
}

/** The pages of the operator, which its customers cannot read directly: nodes get them with each site. */
const gatherOfOperators: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('sites')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .select(['sites.id', 'tenants.operatorId'])
    .where('sites.id', '=', anyOf(siteIds))
    .execute()
  const byOperator = new Map<number, Pages>()
  for (const operator of new Set(rows.map((row) => row.operatorId))) {
    if (operator !== null) byOperator.set(operator, await operatorPages(db, operator))
  }
  return new Map(
    rows.flatMap(({ id, operatorId }) => {
      const pages = operatorId === null ? undefined : byOperator.get(operatorId)
      return pages && Object.keys(pages).length > 0 ? [[id, { operatorErrorPages: pages }] as const] : []
    }),
  )
}

const operatorPart: SitePart<Pages> = {
  owner: 'site',
  name: 'operatorErrorPages',
  schema: Pages,
  gather: gatherOfOperators,
  isGatheredAsSystem: true,
  empty: {},
  isShared: true,
  // Only the operator's business: not part of the differences between revisions of the site.
  items: () => [],
  async restore() {},
  render,
}

/** A site's own pages come before its operator's. */
export const errorPagesParts: Parts = [ownPart, operatorPart] as Parts

const operatorPages = async (db: Database, operator: number): Promise<Pages> =>
  (await readSettings(db, 'operator', operator, name, Pages)) ?? {}

const write = (db: Database, siteId: number, pages: ReturnType<typeof sql>) =>
  db
    .updateTable('sites')
    .set({ settings: sql<string>`settings || jsonb_build_object(${name}::text, ${pages})` })
    .where('id', '=', siteId)
    .execute()

/** SQL expression: the pages that the site has, or an empty object. */
const present = sql`coalesce(settings->${name}, '{}'::jsonb)`

export function siteErrorPagesFeature({ publisher }: Services): Feature {
  return implement(siteErrorPages, {
    async get({ db, siteId }) {
      const { id } = await requireSite(db, siteId)
      const row = await db.selectFrom('sites').select('settings').where('id', '=', id).executeTakeFirstOrThrow()
      return shown(Pages.parse(row.settings[name] ?? {}))
    },
    async update(call) {
      const { status } = call.body
      const page = JSON.stringify(savedPage(call.body))
      await changeSite(call, call.siteId, publisher, { action: siteErrorPages.update.audit! }, async (db, site) => {
        await write(db, site.id, sql`${present} || jsonb_build_object(${String(status)}::text, ${page}::jsonb)`)
      })
    },
    async remove(call) {
      await changeSite(call, call.siteId, publisher, { action: siteErrorPages.remove.audit! }, async (db, site) => {
        await write(db, site.id, sql`${present} - ${String(call.body.status)}::text`)
      })
    },
  })
}

export function operatorErrorPagesFeature({ publisher }: Services): Feature {
  /** Saves the pages and publishes every site of the operator's customers. */
  async function save(
    { db, caller }: { db: Database; caller: { tenantId: number; accountName: string } },
    pages: Pages,
    action: string,
  ): Promise<void> {
    const row = { value: JSON.stringify(pages), updatedAt: new Date() }
    await db
      .insertInto('settings')
      .values({ owner: 'operator', ownerId: caller.tenantId, name, tenantId: caller.tenantId, ...row })
      .onConflict((on) => on.columns(['owner', 'ownerId', 'name']).doUpdateSet(row))
      .execute()
    const sites = await db
      .selectFrom('sites')
      .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
      .select('sites.id')
      .where('tenants.operatorId', '=', caller.tenantId)
      .execute()
    const locked = await lockSites(
      db,
      sites.map(({ id }) => id),
    )
    await publishMany(db, locked, publisher, { actor: caller.accountName, action })
  }

  return implement(operatorErrorPages, {
    async get({ db, caller }) {
      return shown(await operatorPages(db, caller.tenantId))
    },
    async update(call) {
      const { status } = call.body
      const before = await operatorPages(call.db, call.caller.tenantId)
      const page = savedPage(call.body)
      await save(call, { ...before, [status]: page }, operatorErrorPages.update.audit!)
      call.audit.detail = { status, before: before[status] ?? null, after: page }
    },
    async remove(call) {
      const { [call.body.status]: removed, ...rest } = await operatorPages(call.db, call.caller.tenantId)
      await save(call, rest, operatorErrorPages.remove.audit!)
      call.audit.detail = { status: call.body.status, before: removed ?? null }
    },
  })
}
