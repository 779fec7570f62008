/** Domains of a site and their origins. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { challengeRecordOf } from '../dns/challenge-record.ts'
import { dnsZoneOf } from '../dns/dns-settings.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import { modulesOf } from '../modules/bindings.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { addDomains } from './add-domains.ts'
import { bulkDomainsFeature } from './bulk.ts'
import { shownCertificates } from './certificate-status.ts'
import { takenOf } from './claims.ts'
import { dnsTargetOf, requireDomain } from './dns-target.ts'
import { findDomain, listDomains, presentDomain, upstreamsOf } from './domains.store.ts'
import { networkCalls } from './network-calls.ts'
import { requireOpenPorts } from './open-ports.ts'
import { requireReachable } from './origins.ts'
import { requireNotOurs } from './own-origins.ts'
import { tlsCalls } from './tls-calls.ts'
import { upstreamCalls } from './upstream-calls.ts'

const { list, create, remove, settings, approve } = domains

export function domainsFeature(services: Services): Feature {
  return [
    ...domainCalls(services),
    ...upstreamCalls(services),
    ...networkCalls(services),
    ...tlsCalls(services),
    ...bulkDomainsFeature(services),
  ]
}

function domainCalls({ env, guard, publisher }: Services): Feature {
  return implement(
    { list, create, remove, settings, approve },
    {
      async list({ db, siteId, query }) {
        const site = await requireSite(db, siteId)
        const { page, pageSize, sortBy = 'createdAt', orderBy, ...filter } = query
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
        const { cname } = await dnsTargetOf(db, site, env.edgeDomain)
        const bound = await modulesOf(
          db,
          rows.map((row) => row.id),
        )
        return { data: rows.map((row) => presentDomain(row, upstreams, cname, bound(row.id))), total }
      },

      async create(call) {
        const { body } = call
        for (const [index, domain] of body.domains.entries()) {
          requireReachable(guard, domain.upstreams, (at) => `domains.${index}.upstreams.${at}.ip`, call.caller.tier)
          requireOpenPorts(domain.portMap)
        }
        return changeSite(
          call,
          call.siteId,
          publisher,
          {
            summary: body.domains
              .map((domain) => domain.name)
              .join(' ')
              .slice(0, 200),
          },
          async (db, site) => {
            for (const [index, { upstreams }] of body.domains.entries())
              await requireNotOurs(db, env, upstreams, (at) => `domains.${index}.upstreams.${at}.ip`)
            return { ids: await addDomains(db, site, body.domains, env) }
          },
        )
      },

      async remove(call) {
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          await db.deleteFrom('domains').where('siteId', '=', site.id).where('id', 'in', call.body.ids).execute()
        })
      },

      async settings({ db, siteId, query }) {
        const site = await requireSite(db, siteId)
        const row = await findDomain(db, site.id, { name: query.domainName.toLowerCase() })
        if (!row) throw gone()
        const modules = (await modulesOf(db, [row.id]))(row.id)
        const zone = await dnsZoneOf(db, site.tenantId)
        const { id, name, status, tags, forceSSL, autoSSL, balance, scheme, portMap, cname, ownership, certStatus } =
          presentDomain(row, [], (await dnsTargetOf(db, site, env.edgeDomain)).cname, modules)
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
          modules,
          certStatus,
          certificate: (await shownCertificates(db, [id])).get(id) ?? null,
          challengeRecord: zone === '' ? null : challengeRecordOf(zone, site.tenantId, name),
        }
      },

      async approve(call) {
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          if ((await takenOf(db, [domain.name], site.id, env.edgeDomain)).length > 0)
            throw new Fault('domainEnabledElsewhere')
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
