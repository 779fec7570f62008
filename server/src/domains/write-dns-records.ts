/**
 * Job: brings the operator's DNS in line with the sites. Runs once at a time; no transaction is open while waiting for
 * a name server.
 */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { providerOf } from '../dns/dns-settings.ts'
import { DnsError, type DnsProvider } from '../dns/provider.ts'
import type { Services } from '../process/services.ts'
import { cnameOf } from '../publish/host-names.ts'
import { placeOf } from '../sites/serving-zone.ts'
import { type AddressRecord, isSame, recordsOf } from './dns-plan.ts'

type Given = Pick<Services, 'database' | 'vault' | 'guard' | 'env' | 'logger'>

/** Records per run; the rest is due in the next run. */
const most = 500
/** After this many consecutive failures a name server is left alone until the next run. */
const failuresMax = 3
const retryWait = '5 minutes'
/**
 * The TTL in seconds for a site that the operator moved to its backup group and that has no settings of its own: short,
 * so that it moves back as fast.
 */
const backupTtl = 60

export async function writeDnsRecords(services: Given): Promise<void> {
  const operators = await withSystem(services.database.db, (db) =>
    db
      .selectFrom('settings')
      .select('tenantId')
      .where('owner', '=', 'operator')
      .where('name', '=', 'dns')
      .where(sql<boolean>`value ->> 'dnsType' <> ''`)
      .execute(),
  )
  for (const { tenantId } of operators) {
    const provider = await withSystem(services.database.db, async (db) => {
      const found = await providerOf(db, services, tenantId)
      if (found) await plan(db, tenantId, found.zone, services.env.edgeDomain)
      return found
    })
    if (provider) await writeDue(services, tenantId, provider)
  }
}

type Site = { id: number; label: string; productId: number; forceBackup: boolean; ttl: number | null }

/** Records what DNS should contain: changed records wait to be written, unwanted ones to be removed. */
async function plan(db: Database, tenantId: number, zone: string, edgeDomain: string): Promise<void> {
  const { rows: sites } = await sql<Site>`
    select s.id, s.label, s.product_id, s.force_backup, (s.settings -> 'siteDns' ->> 'ttl')::int as ttl
    from sites s join tenants t on t.id = s.tenant_id
    where coalesce(t.operator_id, t.id) = ${tenantId} and s.removed_at is null
      and (s.settings ? 'siteDns' or s.force_backup)`.execute(db)
  const known = await db.selectFrom('dnsRecords').selectAll().where('tenantId', '=', tenantId).execute()
  const kept = new Set<number>()
  for (const site of sites) {
    const place = await placeOf(db, site)
    const addresses = place?.addresses.filter((address) => !/^127\./.test(address)) ?? []
    if (place && addresses.length === 0) {
      // A group without nodes has no addresses: an empty response must never replace one that was right.
      for (const row of known) if (row.siteId === site.id) kept.add(row.id)
      continue
    }
    const cname = cnameOf(edgeDomain, site.label, place?.groupLabel)
    for (const record of recordsOf({ zone, cname, addresses, ttl: site.ttl ?? backupTtl })) {
      const row = known.find(({ name, type }) => name === record.name && type === record.type)
      if (row) kept.add(row.id)
      if (!row || !isSame(row, record)) await want(db, { tenantId, siteId: site.id, ...record })
    }
  }
  for (const row of known)
    if (!kept.has(row.id) && row.addresses.length > 0) {
      const { siteId, name, type, ttl } = row
      await want(db, { ...{ tenantId, siteId, name, type, ttl }, addresses: [] })
    }
}

async function want(db: Database, record: AddressRecord & { tenantId: number; siteId: number }): Promise<void> {
  const change = { ...record, state: 'waiting' as const, reason: '', nextAt: new Date() }
  await db
    .insertInto('dnsRecords')
    .values(change)
    .onConflict((on) => on.columns(['tenantId', 'name', 'type']).doUpdateSet(change))
    .execute()
}

async function writeDue({ database, logger }: Given, tenantId: number, provider: DnsProvider): Promise<void> {
  const due = await withSystem(database.db, (db) =>
    db
      .selectFrom('dnsRecords')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('state', '!=', 'written')
      .where('nextAt', '<=', sql<Date>`now()`)
      .orderBy('nextAt')
      .limit(most)
      .execute(),
  )
  let failures = 0
  for (const { id, name, type, addresses, ttl } of due) {
    if (failures >= failuresMax) return
    const reason = await provider.setAddresses(name, type, addresses, ttl).then(
      () => undefined,
      (error: Error) => {
        if (!(error instanceof DnsError)) throw error
        return error.message
      },
    )
    failures = reason === undefined ? 0 : failures + 1
    if (reason !== undefined) logger.warn({ name, reason }, 'a DNS record was not written')
    await withSystem(database.db, async (db) => {
      if (reason === undefined && addresses.length === 0)
        return db.deleteFrom('dnsRecords').where('id', '=', id).execute()
      const state = reason === undefined ? ('written' as const) : ('failed' as const)
      const nextAt = sql<Date>`now() + ${retryWait}::interval`
      return db
        .updateTable('dnsRecords')
        .set({ state, reason: reason?.slice(0, 500) ?? '', nextAt })
        .where('id', '=', id)
        .execute()
    })
  }
}
