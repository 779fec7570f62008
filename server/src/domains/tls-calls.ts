/**
 * How domains are reached: forced HTTPS, scheme, port map. Automatic certificates are in
 * `certificates/acme/auto-ssl.ts`.
 */
import { domainTls } from '@breakwater/contract/domains/domain-tls.ts'
import { schemes } from '@breakwater/contract/domains/domains.ts'
import type { Database } from '../db/database.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { fieldFault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite } from '../publish/change-site.ts'
import { anyOf } from '../publish/gather.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { requireDomain } from './dns-target.ts'
import { requireOpenPorts } from './open-ports.ts'

const { autoSSL: _, ...calls } = domainTls

export function tlsCalls({ publisher }: Services): Feature {
  return implement(calls, {
    async forceSSL(call) {
      const { ids, forceSSL } = call.body
      await changeSite(call, call.siteId, publisher, {}, (db, site) =>
        setDomains(db, site, ids, { forceSsl: forceSSL }),
      )
    },

    async scheme(call) {
      const { scheme, portMap, basedOn } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const domain = await requireDomain(db, site.id, call.domainId)
        requireUnchanged(basedOn, domain)
        requireOpenPorts(portMap)
        if (scheme === schemes.https && !domain.autoSsl && domain.certStatus === 0)
          throw fieldFault('scheme', 'noCertificate')
        await db
          .updateTable('domains')
          .set({ scheme, portMap: JSON.stringify(portMap), updatedAt: new Date() })
          .where('id', '=', domain.id)
          .execute()
      })
    },
  })
}

/** Applies the same change to several domains of a site, to all or to none. */
export async function setDomains(
  db: Database,
  site: LockedSite,
  ids: number[],
  change: { forceSsl?: boolean; autoSsl?: boolean },
): Promise<void> {
  const rows = await db
    .updateTable('domains')
    .set({ ...change, updatedAt: new Date() })
    .where('siteId', '=', site.id)
    .where('id', '=', anyOf(ids))
    .returning('id')
    .execute()
  if (rows.length !== new Set(ids).size) throw gone()
}
