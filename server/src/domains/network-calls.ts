/** Calls that use the network, and therefore hold no transaction while doing so. */
import { domainChecks } from '@breakwater/contract/domains/bulk.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { asSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { probeOrigin } from '../outbound/probe.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { dueOf, keepChecked, lookAt, proveInBackground } from './check-domains.ts'
import { claim } from './claims.ts'
import { checkDns, makeDnsLookup } from './dns-check.ts'
import { dnsTargetOf, requireDomain, requireDomains } from './dns-target.ts'
import { cnameStatusesOf, proofRecord } from './domains.store.ts'
import { originOf } from './find-origin.ts'
import { findProof } from './proof.ts'

const { probe, prove, dns, findOrigin } = domains

/** Probing an origin, proving ownership of a domain, checking its DNS. */
export function networkCalls({ env, guard, publisher }: Services): Feature {
  const lookup = makeDnsLookup(env.dnsServers)
  return implementOpen(
    { probe, prove, dns, findOrigin, ...domainChecks },
    {
      async dns({ transact, siteId, domainId }) {
        const wanted = await transact(async (db) => {
          const site = await requireSite(db, siteId)
          const domain = await requireDomain(db, site.id, domainId)
          return {
            domain: domain.name,
            ...(await dnsTargetOf(db, site, env.edgeDomain)),
            ...proofRecord(domain.name, domain.proof),
          }
        })
        return checkDns(lookup, wanted)
      },

      async probe({ transact, siteId, body }) {
        await transact((db) => requireSite(db, siteId))
        return probeOrigin(guard, body)
      },

      async checkCNAME({ transact, siteId, body, audit }) {
        const due = await transact(async (db) => {
          const site = await requireSite(db, siteId)
          audit.siteId = site.id
          const rows = await requireDomains(db, site.id, body.ids)
          return dueOf(db, rows, env.edgeDomain)
        })
        const checked = await lookAt({ guard }, lookup, due)
        await transact(async (db) => {
          await requireSite(db, siteId)
          await keepChecked(db, checked)
        })
        for (const { id, proof } of checked) {
          const domain = due.find((one) => one.id === id)!
          if (proof) await transact((db) => asSystem(db, (tx) => proveInBackground(tx, domain, proof, publisher)))
        }
        const checkedAt = new Date().toISOString()
        const data = checked.map(({ id, state }) => ({ id, cnameStatuses: cnameStatusesOf(state), checkedAt }))
        return { data, total: data.length }
      },

      async findOrigin({ body }) {
        return { origin: await originOf({ lookup, guard, edgeDomain: env.edgeDomain }, body) }
      },

      async prove({ transact, caller, audit, siteId, domainId, requestId }) {
        const domain = await transact(async (db) => requireDomain(db, (await requireSite(db, siteId)).id, domainId))
        if (domain.ownership !== 'pending') return { state: domain.ownership }
        const [due] = await transact((db) => dueOf(db, [domain], env.edgeDomain))
        const by = await findProof({ guard, lookup }, due!)
        if (by === undefined) return { state: 'pending' as const }
        await transact(async (db) => {
          if (!(await claim(db, domain, publisher, requestId))) throw new Fault('domainEnabledElsewhere')
          const about = { summary: domain.name }
          await changeSite({ db, caller, audit }, siteId, publisher, about, async () => undefined)
        })
        return { state: 'proven' as const, by }
      },
    },
  )
}
