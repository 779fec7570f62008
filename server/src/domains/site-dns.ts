/** A site's own records in the operator's DNS: the settings, and what follows from them before and after they are saved. */
import { SiteDns, siteDns, siteDnsPlan } from '@breakwater/contract/dns/site-dns.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { dnsZoneOf } from '../dns/dns-settings.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { siteSettingsApart } from '../settings/site-settings.ts'
import { changesOf, recordsOf } from './dns-plan.ts'
import { dnsTargetOf } from './dns-target.ts'

/** Nothing saved: the site is answered as its group is. */
const none = { line: 'default', ttl: 0 } as const
type Saved = { line: 'default'; ttl: number }

/** The worker writes, as soon as the change is there. */
const wake = (db: Database) => sql`select pg_notify('dns_records', '')`.execute(db)

export const siteDnsSettings = siteSettingsApart(siteDns, {
  saved: SiteDns,
  none: none as Saved,
  async save(_services, db, site, body) {
    await requireProvider(db, site)
    await wake(db)
    return body
  },
  forget: async (db) => {
    await wake(db)
  },
  revive: async (db, _site, value) => {
    await wake(db)
    return value
  },
  render: () => undefined,
  async show(value, { services, db, site }) {
    const { cname } = await dnsTargetOf(db, site, services.env.edgeDomain)
    const rows = await rowsOf(db, site)
    const isOwn = value.ttl > 0
    return {
      ...(isOwn ? value : { line: siteDns.defaults.line, ttl: siteDns.defaults.ttl }),
      ...{ cname, isOwn },
      records: rows.map(({ addresses, name, type, ttl, state, reason }) => ({
        ...{ name, type, values: addresses, ttl, state, reason },
      })),
    }
  },
})

/** Throws 101006 where the operator has no DNS that the records could go to. */
async function requireProvider(db: Database, site: LockedSite): Promise<void> {
  if ((await dnsZoneOf(db, site.tenantId)) === '')
    throw new Fault('invalidDnsSetting', 'The operator of this platform has no DNS provider.')
}

const rowsOf = (db: Database, site: LockedSite) =>
  asSystem(db, (tx) =>
    tx.selectFrom('dnsRecords').selectAll().where('siteId', '=', site.id).orderBy('name').orderBy('type').execute(),
  )

export function siteDnsFeature(services: Services): Feature {
  return [
    ...siteDnsSettings.feature(services),
    ...implement(siteDnsPlan, {
      async plan({ db, siteId, body }) {
        const site = await requireSite(db, siteId)
        const zone = await dnsZoneOf(db, site.tenantId)
        await requireProvider(db, site)
        const { cname, addresses } = await dnsTargetOf(db, site, services.env.edgeDomain)
        return changesOf(await rowsOf(db, site), recordsOf({ zone, cname, addresses, ttl: body.ttl }))
      },
    }),
  ]
}
