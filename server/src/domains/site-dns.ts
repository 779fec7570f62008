/** A site's own records in the operator's DNS: the settings, a preview of their effect, and the resulting state. */
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

/** Without saved settings, DNS returns for the site what it returns for its group. */
const none = { line: 'default', ttl: 0 } as const
type Saved = { line: 'default'; ttl: number }

/** Wakes the worker, which writes the records once the change is committed. */
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

/** Throws 101006 if the operator has no DNS provider for the records. */
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
