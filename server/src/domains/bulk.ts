/** Bulk changes to a site's domains in one call: all or nothing, as one revision. */
import { bulkDomains, metaMax } from '@breakwater/contract/domains/bulk.ts'
import { domainCells, domainColumns } from '@breakwater/contract/domains/domain-csv.ts'
import type { Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import { modulesOf } from '../modules/bindings.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { refuseAll } from '../publish/change-sites.ts'
import { anyOf } from '../publish/gather.ts'
import { lockSites } from '../publish/locked-sites.ts'
import { addDomains, addUpstreams } from './add-domains.ts'
import { takenOf } from './claims.ts'
import { copyDomains } from './copy-domains.ts'
import { dnsTargetOf, requireDomain, requireDomains } from './dns-target.ts'
import { listDomains, presentDomain, upstreamsOf } from './domains.store.ts'
import { requireOpenPorts } from './open-ports.ts'
import { requireReachable } from './origins.ts'
import { requireNotOurs } from './own-origins.ts'

/** The most domains in one file. */
const exportMax = 10_000

const { exportCsv, ...transactional } = bulkDomains

export const bulkDomainsFeature = (services: Services): Feature => [...changes(services), ...exporting(services)]

type DomainRow = Awaited<ReturnType<typeof requireDomains>>[number]

const update = (db: Database, rows: DomainRow[]) =>
  db
    .updateTable('domains')
    .set({ updatedAt: new Date() })
    .where('id', '=', anyOf(rows.map(({ id }) => id)))

/**
 * Throws if domains cannot be enabled: without an origin (401008), or because another site serves the name (401001).
 */
async function requireServable(db: Database, siteId: number, rows: DomainRow[], edgeDomain: string): Promise<void> {
  const becoming = rows.filter(({ status }) => status !== 1)
  if (becoming.length === 0) return
  const having = await db
    .selectFrom('upstreams')
    .select('domainId')
    .distinct()
    .where('enabled', '=', true)
    .where('domainId', '=', anyOf(becoming.map(({ id }) => id)))
    .execute()
  const bare = becoming.filter(({ id }) => !having.some(({ domainId }) => domainId === id)).map(({ name }) => name)
  const namesOf = (isPending: boolean) =>
    becoming.filter(({ ownership }) => (ownership === 'pending') === isPending).map(({ name }) => name)
  const taken = [
    ...(await takenOf(db, ['', ...namesOf(false)], siteId, edgeDomain)),
    ...(await takenOf(db, ['', ...namesOf(true)], siteId, edgeDomain, ['proven'])),
  ]
  refuseAll(
    [
      ...(bare.length > 0 ? [{ reason: 'noEnabledUpstream' as const, targets: bare }] : []),
      ...(taken.length > 0 ? [{ reason: 'domainEnabledElsewhere' as const, targets: taken }] : []),
    ],
    rows.length,
  )
}

function changes({ env, guard, publisher }: Services): Feature {
  return implement(transactional, {
    async createSimple(call) {
      const { names, upstreams = [], tags } = call.body
      requireReachable(guard, upstreams, (at) => `upstreams.${at}.ip`, call.caller.tier)
      const status = upstreams.some(({ enabled }) => enabled) ? 1 : 0
      const plain = { status, scheme: 3, portMap: {}, tags, balance: 1, upstreams }
      return changeSite(call, call.siteId, publisher, { summary: summaryOf(names) }, async (db, site) => {
        await requireNotOurs(db, env, upstreams, (at) => `upstreams.${at}.ip`)
        return {
          ids: await addDomains(
            db,
            site,
            names.map((name) => ({ name, ...plain })),
            env,
          ),
        }
      })
    },

    async createFrom(call) {
      const { domainID, names } = call.body
      return changeSite(call, call.siteId, publisher, { summary: summaryOf(names) }, async (db, site) => {
        const source = await requireDomain(db, site.id, domainID)
        const copies = names.map((name) => ({ source: source.id, name }))
        return { ids: await copyDomains(db, site, copies, env) }
      })
    },

    async copyToSite(call) {
      const { ids, siteID } = call.body
      const source = await requireSite(call.db, call.siteId)
      const target = await requireSite(call.db, siteID)
      if (source.tenantId !== target.tenantId) throw new Fault('permissionDenied')
      if (source.id === target.id) throw fieldFault('siteID', 'theSameSite')
      const locked = await lockSites(call.db, [source.id, target.id])
      if (locked.length < 2) throw new Fault('permissionDenied')
      const rows = await requireDomains(call.db, source.id, ids)
      const summary = summaryOf(rows.map(({ name }) => name))
      return changeSite(call, target.id, publisher, { summary }, async (db, site) => {
        const copies = rows.map(({ id, name }) => ({ source: id, name, isDisabled: true }))
        return { ids: await copyDomains(db, site, copies, env) }
      })
    },

    async removeByNames(call) {
      const { names } = call.body
      await changeSite(call, call.siteId, publisher, { summary: summaryOf(names) }, async (db, site) => {
        await db.deleteFrom('domains').where('siteId', '=', site.id).where('name', 'in', names).execute()
      })
    },

    async meta({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const filter = query.keyword ? { keywords: query.keyword } : {}
      const page = { page: 1, pageSize: metaMax }
      const { rows, total } = await listDomains(db, site.id, filter, page, { by: 'name', order: 'asc' })
      return { data: rows.map(({ id, name }) => ({ id, name })), total: rows.length, isMore: total > rows.length }
    },

    async update(call) {
      const { id, portMap, ...set } = call.body
      if (portMap) requireOpenPorts(portMap)
      await changeSite(call, call.siteId, publisher, { summary: set.name ?? '' }, async (db, site) => {
        const domain = await requireDomain(db, site.id, id)
        if (set.name !== undefined && set.name !== domain.name)
          await requireNewName(db, domain, set.name, env.edgeDomain)
        if (set.status === 1)
          await requireServable(db, site.id, [{ ...domain, name: set.name ?? domain.name }], env.edgeDomain)
        await db
          .updateTable('domains')
          .set({ ...set, ...(portMap && { portMap: JSON.stringify(portMap) }), updatedAt: new Date() })
          .where('id', '=', domain.id)
          .execute()
      })
    },

    async setStatus(call) {
      const { ids, status } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const rows = await requireDomains(db, site.id, ids)
        if (status === 1) await requireServable(db, site.id, rows, env.edgeDomain)
        await update(db, rows).set({ status }).execute()
      })
    },

    async setTags(call) {
      const { ids, tags } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        await update(db, await requireDomains(db, site.id, ids))
          .set({ tags })
          .execute()
      })
    },

    async setBalance(call) {
      const { ids, balance } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        await update(db, await requireDomains(db, site.id, ids))
          .set({ balance })
          .execute()
      })
    },

    async setUpstreams(call) {
      const { ids, upstreams } = call.body
      requireReachable(guard, upstreams, (at) => `upstreams.${at}.ip`, call.caller.tier)
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const rows = await requireDomains(db, site.id, ids)
        await requireNotOurs(db, env, upstreams, (at) => `upstreams.${at}.ip`)
        const enabled = rows.filter(({ status }) => status === 1)
        if (enabled.length > 0 && !upstreams.some((upstream) => upstream.enabled)) throw new Fault('noEnabledUpstream')
        await db
          .deleteFrom('upstreams')
          .where('domainId', '=', anyOf(rows.map(({ id }) => id)))
          .execute()
        const of = rows.map(({ id }) => ({ domainId: id, upstreams }))
        await addUpstreams(db, site.tenantId, of)
        await update(db, rows).execute()
      })
    },

    async modifyUpstreamIPs(call) {
      const { ids, fromIP, toIP } = call.body
      requireReachable(guard, [{ ip: toIP }], () => 'toIP', call.caller.tier)
      return changeSite(call, call.siteId, publisher, { summary: `${fromIP} → ${toIP}` }, async (db, site) => {
        const rows = await requireDomains(db, site.id, ids)
        await requireNotOurs(db, env, [{ ip: toIP }], () => 'toIP')
        const changed = await db
          .updateTable('upstreams')
          .set({ ip: toIP })
          .where('domainId', '=', anyOf(rows.map(({ id }) => id)))
          .where('ip', '=', fromIP)
          .returning('domainId')
          .execute()
        const touched = rows.filter(({ id }) => changed.some(({ domainId }) => domainId === id))
        await update(db, touched).execute()
        return { changed: changed.length }
      })
    },
  })
}

const summaryOf = (names: string[]): string => names.join(' ').slice(0, 200)

/**
 * A domain can only be renamed until its ownership is proven: after that, its certificates, bindings and history belong
 * to the name.
 */
async function requireNewName(
  db: Database,
  domain: { siteId: number; ownership: string },
  name: string,
  edgeDomain: string,
): Promise<void> {
  if (domain.ownership !== 'pending') throw fieldFault('name', 'ownerIsProven')
  const own = await db
    .selectFrom('domains')
    .select('id')
    .where('siteId', '=', domain.siteId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (own) throw fieldFault('name', 'duplicatedData', 'duplicatedData')
  if ((await takenOf(db, [name], domain.siteId, edgeDomain, ['proven'])).length > 0)
    throw new Fault('domainEnabledElsewhere')
}

function exporting({ env }: Services): Feature {
  return implementOpen(
    { exportCsv },
    {
      async exportCsv({ transact, siteId, body, answerFile, audit }) {
        const { name, lines } = await transact(async (db) => {
          const site = await requireSite(db, siteId)
          audit.siteId = site.id
          const filter = body.ids.length > 0 ? { ids: body.ids } : {}
          const { rows } = await listDomains(
            db,
            site.id,
            filter,
            { page: 1, pageSize: exportMax },
            { by: 'name', order: 'asc' },
          )
          const ids = rows.map(({ id }) => id)
          const upstreams = Map.groupBy(await upstreamsOf(db, ids), ({ domainId }) => domainId)
          const { cname } = await dnsTargetOf(db, site, env.edgeDomain)
          const bound = await modulesOf(db, ids)
          return {
            name: `domains-${site.id}`,
            lines: rows.map((row) =>
              domainCells(presentDomain(row, upstreams.get(row.id) ?? [], cname, bound(row.id))),
            ),
          }
        })
        answerFile({ name, head: [...domainColumns], lines })
      },
    },
  )
}
