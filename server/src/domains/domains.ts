/** Domains of a site and their origins. */
import { randomBytes } from 'node:crypto'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, Faults } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { makeLicenseGate } from '../licenses/limits.ts'
import { probeOrigin } from '../outbound/probe.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { cnameOf } from '../publish/render.ts'
import { placeOf } from '../sites/place.ts'
import { checkDns, makeDnsLookup } from './dns-check.ts'
import {
  countEnabled,
  findDomain,
  insertUpstreams,
  listDomains,
  presentDomain,
  proofRecord,
  upstreamsOf,
} from './domains.store.ts'
import { requireReachable } from './origins.ts'

const { probe, prove, dns, ...transactional } = domains

export function domainsFeature(services: Services): Feature {
  return [...domainCalls(services), ...networkCalls(services)]
}

/** What a site's domains shall point at: a name of the edge's zone, and the address of a node. */
async function entranceOf(db: Database, site: LockedSite, edgeDomain: string) {
  const place = await asSystem(db, (tx) => placeOf(tx, site.productId))
  return { cname: cnameOf(edgeDomain, site.label, place?.groupLabel), address: place?.nodeIp || '127.0.0.1' }
}

/** The domain of a site the caller may know, else the refusal that a missing one gets. */
async function requireDomain(db: Database, siteId: number, domainId: number) {
  const domain = await findDomain(db, siteId, { id: domainId })
  if (!domain) throw new Fault('permissionDenied')
  return domain
}

/** Whether another site already serves a name (401001). Asked as the system: the answer names nobody. */
const isTaken = async (db: Database, name: string, siteId: number): Promise<boolean> =>
  (await asSystem(db, (tx) =>
    tx
      .selectFrom('domains')
      .select('id')
      .where('name', '=', name)
      .where('siteId', '!=', siteId)
      .where('status', '=', 1)
      .where('ownership', '!=', 'pending')
      .executeTakeFirst(),
  )) !== undefined

function domainCalls({ env, guard }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(transactional, {
    async list({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const { page, pageSize, sortBy = 'createdAt', orderBy, cnameStatuses, certStatus, ...filter } = query
      // Nothing resolves CNAMEs or issues certificates yet: every domain is unchecked (0) and without one (0).
      if ((cnameStatuses && !cnameStatuses.includes(0)) || (certStatus !== undefined && certStatus !== 0))
        return { data: [], total: 0 }
      const { rows, total } = await listDomains(db, site.id, filter, { page, pageSize }, { by: sortBy, order: orderBy })
      const upstreams = await upstreamsOf(
        db,
        rows.map((row) => row.id),
      )
      const { cname } = await entranceOf(db, site, env.edgeDomain)
      return { data: rows.map((row) => presentDomain(row, upstreams, cname)), total }
    },

    async create(call) {
      const { body } = call
      for (const [index, domain] of body.domains.entries()) {
        requireReachable(guard, domain.upstreams, (at) => `domains.${index}.upstreams.${at}.ip`)
        if (!domain.upstreams.some((upstream) => upstream.enabled)) throw new Fault('noEnabledUpstream')
      }
      await changeSite(
        call,
        call.siteId,
        publisher,
        {
          action: 'site.domains.create',
          summary: body.domains
            .map((domain) => domain.name)
            .join(' ')
            .slice(0, 200),
        },
        async (db, site) => {
          await requireDomainRoom(db, site, body.domains.length)
          await makeLicenseGate(env).requireRoom(db, call.caller.tenantId, 'domains', body.domains.length)
          const clashes = await clashesOf(
            db,
            site,
            body.domains.map((domain) => domain.name),
          )
          if (clashes.length > 0) throw new Faults(clashes)
          for (const { upstreams, portMap, ...domain } of body.domains) {
            const row = {
              ...domain,
              portMap: JSON.stringify(portMap),
              tenantId: site.tenantId,
              siteId: site.id,
              proof: randomBytes(16).toString('hex'),
            }
            const { id } = await db.insertInto('domains').values(row).returning('id').executeTakeFirstOrThrow()
            await insertUpstreams(db, { id, tenantId: site.tenantId }, upstreams)
          }
        },
      )
    },

    async remove(call) {
      await changeSite(call, call.siteId, publisher, { action: 'site.domains.remove' }, async (db, site) => {
        await db.deleteFrom('domains').where('siteId', '=', site.id).where('id', 'in', call.body.ids).execute()
      })
    },

    async settings({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const row = await findDomain(db, site.id, { name: query.domainName.toLowerCase() })
      if (!row) throw new Fault('permissionDenied')
      const { id, name, status, tags, forceSSL, autoSSL, balance, scheme, portMap, cname, ownership } = presentDomain(
        row,
        [],
        (await entranceOf(db, site, env.edgeDomain)).cname,
      )
      return {
        id,
        name,
        status,
        tags,
        forceSSL,
        autoSSL,
        balance,
        scheme,
        portMap,
        cname,
        ownership,
        modules: { customHeader: row.customHeaderModuleId ?? 0 },
        certificate: null,
      }
    },

    async upstreams({ db, siteId, domainId, query }) {
      const site = await requireSite(db, siteId)
      const domain = await requireDomain(db, site.id, domainId)
      const rows = (await upstreamsOf(db, [domain.id])).map(({ domainId: _, ...row }) => row)
      const from = (query.page - 1) * query.pageSize
      return { data: rows.slice(from, from + query.pageSize), total: rows.length }
    },

    async addUpstreams(call) {
      requireReachable(guard, call.body.upstreams, (at) => `upstreams.${at}.ip`)
      await changeSite(call, call.siteId, publisher, { action: 'site.domain.upstreams.create' }, async (db, site) => {
        const domain = await requireDomain(db, site.id, call.domainId)
        const { length } = await upstreamsOf(db, [domain.id])
        if (length + call.body.upstreams.length > 50) throw new Fault('itemsExceedLimit', { max: 50 })
        await insertUpstreams(db, domain, call.body.upstreams)
      })
    },

    async removeUpstreams(call) {
      await changeSite(call, call.siteId, publisher, { action: 'site.domain.upstreams.remove' }, async (db, site) => {
        const domain = await requireDomain(db, site.id, call.domainId)
        await db.deleteFrom('upstreams').where('domainId', '=', domain.id).where('id', 'in', call.body.ids).execute()
        if ((await countEnabled(db, domain.id)) === 0) throw new Fault('noEnabledUpstream')
      })
    },

    async updateUpstream(call) {
      const { id, ...set } = call.body
      requireReachable(guard, [set], () => 'ip')
      await changeSite(call, call.siteId, publisher, { action: 'site.domain.upstream.update' }, async (db, site) => {
        const domain = await requireDomain(db, site.id, call.domainId)
        const row = await db
          .updateTable('upstreams')
          .set(set)
          .where('domainId', '=', domain.id)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst()
        if (!row) throw new Fault('permissionDenied')
        if ((await countEnabled(db, domain.id)) === 0) throw new Fault('noEnabledUpstream')
      })
    },

    async approve(call) {
      await changeSite(call, call.siteId, publisher, { action: 'client.site.domain.approve' }, async (db, site) => {
        const domain = await requireDomain(db, site.id, call.domainId)
        if (await isTaken(db, domain.name, site.id)) throw new Fault('domainEnabledElsewhere')
        await db
          .updateTable('domains')
          .set({ ownership: 'approved', updatedAt: new Date() })
          .where('id', '=', domain.id)
          .execute()
      })
    },
  })
}

async function requireDomainRoom(db: Database, site: LockedSite, more: number): Promise<void> {
  const { limitations } = await db
    .selectFrom('sites')
    .select('limitations')
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow()
  const { n } = await db
    .selectFrom('domains')
    .where('siteId', '=', site.id)
    .select((on) => on.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (limitations.domains > 0 && n + more > limitations.domains)
    throw new Fault('domainsExceedLimit', { max: limitations.domains })
}

/** Names that cannot be added: twice in the call or already on the site (101025), or served by another site (401001). */
async function clashesOf(db: Database, site: LockedSite, names: string[]) {
  const own = await db
    .selectFrom('domains')
    .select('name')
    .where('siteId', '=', site.id)
    .where('name', 'in', names)
    .execute()
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const duplicates = [...new Set([...own.map((row) => row.name), ...twice])]
  const elsewhere: string[] = []
  for (const name of names) if (await isTaken(db, name, site.id)) elsewhere.push(name)
  return [
    ...(duplicates.length > 0 ? [{ reason: 'duplicatedData' as const, targets: duplicates }] : []),
    ...(elsewhere.length > 0 ? [{ reason: 'domainEnabledElsewhere' as const, targets: elsewhere }] : []),
  ]
}

/** Calls that talk to the network, and so hold no transaction meanwhile. */
function networkCalls({ env, guard }: Services): Feature {
  const lookup = makeDnsLookup(env.dnsServers)
  const publisher = { allowOrigins: env.allowOrigins }
  return implementOpen(
    { probe, prove, dns },
    {
      async dns({ transact, siteId, domainId }) {
        const wanted = await transact(async (db) => {
          const site = await requireSite(db, siteId)
          const domain = await requireDomain(db, site.id, domainId)
          return {
            domain: domain.name,
            ...(await entranceOf(db, site, env.edgeDomain)),
            ...proofRecord(domain.name, domain.proof),
          }
        })
        return checkDns(lookup, wanted)
      },

      async probe({ transact, siteId, body }) {
        await transact((db) => requireSite(db, siteId))
        return probeOrigin(guard, body)
      },

      async prove({ transact, caller, audit, siteId, domainId }) {
        const domain = await transact(async (db) => requireDomain(db, (await requireSite(db, siteId)).id, domainId))
        if (domain.ownership !== 'pending') return { state: domain.ownership }
        const { recordName, recordValue } = proofRecord(domain.name, domain.proof)
        if (!(await lookup.texts(recordName)).includes(recordValue)) return { state: 'pending' as const }
        await transact((db) =>
          changeSite({ db, caller, audit }, siteId, publisher, { action: 'site.domain.prove' }, async (tx, site) => {
            if (await isTaken(tx, domain.name, site.id)) throw new Fault('domainEnabledElsewhere')
            await tx
              .updateTable('domains')
              .set({ ownership: 'proven', updatedAt: new Date() })
              .where('id', '=', domain.id)
              .where('siteId', '=', site.id)
              .execute()
          }),
        )
        return { state: 'proven' as const }
      },
    },
  )
}
