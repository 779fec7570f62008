/** Calls that talk to the network, and so hold no transaction meanwhile. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { probeOrigin } from '../outbound/probe.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { takenOf } from './adding.ts'
import { checkDns, makeDnsLookup } from './dns-check.ts'
import { proofRecord } from './domains.store.ts'
import { entranceOf, requireDomain } from './place.ts'

const { probe, prove, dns } = domains

/** Probe of an origin, proof of a domain's owner, look at its DNS. */
export function networkCalls({ env, guard }: Services): Feature {
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
            if ((await takenOf(tx, [domain.name], site.id)).length > 0) throw new Fault('domainEnabledElsewhere')
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
