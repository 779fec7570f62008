/** Domains of a site and their origins. */
import { randomBytes } from 'node:crypto'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { Fault, Faults } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { makeLicenseGate } from '../licenses/limits.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { clashesOf, requireDomainRoom, takenOf } from './adding.ts'
import { findDomain, insertUpstreams, listDomains, presentDomain, upstreamsOf } from './domains.store.ts'
import { networkCalls } from './network-calls.ts'
import { requireReachable } from './origins.ts'
import { entranceOf, requireDomain } from './place.ts'
import { upstreamCalls } from './upstream-calls.ts'

const { list, create, remove, settings, approve } = domains

export function domainsFeature(services: Services): Feature {
  return [...domainCalls(services), ...upstreamCalls(services), ...networkCalls(services)]
}

function domainCalls({ env, guard }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(
    { list, create, remove, settings, approve },
    {
      async list({ db, siteId, query }) {
        const site = await requireSite(db, siteId)
        const { page, pageSize, sortBy = 'createdAt', orderBy, cnameStatuses, certStatus, ...filter } = query
        // Nothing resolves CNAMEs or issues certificates yet: every domain is unchecked (0) and without one (0).
        if ((cnameStatuses && !cnameStatuses.includes(0)) || (certStatus !== undefined && certStatus !== 0))
          return { data: [], total: 0 }
        const { rows, total } = await listDomains(
          db,
          site.id,
          filter,
          { page, pageSize },
          { by: sortBy, order: orderBy },
        )
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

      async approve(call) {
        await changeSite(call, call.siteId, publisher, { action: 'client.site.domain.approve' }, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          if ((await takenOf(db, [domain.name], site.id)).length > 0) throw new Fault('domainEnabledElsewhere')
          await db
            .updateTable('domains')
            .set({ ownership: 'approved', updatedAt: new Date() })
            .where('id', '=', domain.id)
            .execute()
        })
      },
    },
  )
}
