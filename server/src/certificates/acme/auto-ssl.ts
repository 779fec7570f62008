/** Enables and disables automatic certificates of domains. */
import { domainTls } from '@breakwater/contract/domains/domain-tls.ts'
import { sql } from 'kysely'
import { dnsZoneOf } from '../../dns/dns-settings.ts'
import { setDomains } from '../../domains/tls-calls.ts'
import { Faults } from '../../http/fault.ts'
import { type Feature, implement } from '../../http/implement.ts'
import type { Services } from '../../process/services.ts'
import { changeSite } from '../../publish/change-site.ts'
import { accountKeyOf } from './account-key.ts'
import { requireOrderRoom } from './settings.ts'

export function autoSslFeature({ publisher, vault }: Services): Feature {
  const { autoSSL } = domainTls
  return implement(
    { autoSSL },
    {
      async autoSSL(call) {
        const { ids, enable } = call.body
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          await setDomains(db, site, ids, { autoSsl: enable })
          if (!enable) return
          const rows = await db
            .selectFrom('domains')
            .select(['id', 'name'])
            .where('siteId', '=', site.id)
            .where('autoSsl', '=', true)
            .execute()
          // A wildcard can only be proven over DNS, through the operator's DNS provider.
          const wildcards = rows.filter(({ id, name }) => ids.includes(id) && name.startsWith('*.'))
          if (wildcards.length > 0 && (await dnsZoneOf(db, site.tenantId)) === '')
            throw new Faults(
              [{ reason: 'invalidDnsSetting', targets: wildcards.map(({ name }) => name) }],
              'invalidDnsSetting',
            )
          await requireOrderRoom(db, site, rows.length)
          await accountKeyOf(db, vault, site)
          await sql`select pg_notify('certificates', '')`.execute(db)
        })
      },
    },
  )
}
