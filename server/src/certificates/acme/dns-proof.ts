/**
 * Proves a name over DNS (DNS-01): TXT records in the operator's zone, to which the customer's name points with a
 * CNAME.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, withSystem } from '../../db/database.ts'
import type { ChallengeRecord } from '../../dns/challenge-record.ts'
import { providerOf } from '../../dns/dns-settings.ts'
import type { DnsProvider } from '../../dns/provider.ts'
import type { DnsLookup } from '../../domains/dns-check.ts'
import type { Services } from '../../process/services.ts'

/** Where the records of an order are written. */
export type DnsPlace = { provider: DnsProvider; record: ChallengeRecord; operatorId: number }

const seenEveryMs = 1_000
const seenTries = 60

/** Writes records and waits until public DNS returns them. Returns false if it does not. Throws a DnsError. */
export async function publish(
  db: Database,
  lookup: DnsLookup,
  { provider, record, operatorId }: DnsPlace,
  values: string[],
): Promise<boolean> {
  const rows = values.map((value) => ({ tenantId: operatorId, name: record.value, value }))
  await withSystem(db, (tx) => tx.insertInto('challengeRecords').values(rows).execute())
  for (const value of values) await provider.addText(record.value, value)
  for (let tries = 0; tries < seenTries; tries += 1) {
    const found = await lookup.texts(record.name)
    if (values.every((value) => found.includes(value))) return true
    await setTimeout(seenEveryMs)
  }
  return false
}

/** Removes the records of an order that is done. */
export async function withdraw(db: Database, { provider, record }: DnsPlace, values: string[]): Promise<void> {
  if (values.length === 0) return
  for (const value of values) await provider.removeText(record.value, value)
  await withSystem(db, (tx) =>
    tx.deleteFrom('challengeRecords').where('name', '=', record.value).where('value', 'in', values).execute(),
  )
}

/** Removes records left by an order whose process died or whose name server was unavailable. Given up after a week. */
export async function withdrawForgotten(
  services: Pick<Services, 'database' | 'vault' | 'guard' | 'logger'>,
): Promise<void> {
  const { db } = services.database
  const rows = await withSystem(db, (tx) =>
    tx
      .selectFrom('challengeRecords')
      .selectAll()
      .where('writtenAt', '<', sql<Date>`now() - interval '1 hour'`)
      .orderBy('id')
      .limit(100)
      .execute(),
  )
  for (const { id, tenantId, name, value } of rows) {
    try {
      const provider = await withSystem(db, (tx) => providerOf(tx, services, tenantId))
      if (provider && name.endsWith(`.${provider.zone}`)) await provider.removeText(name, value)
      await withSystem(db, (tx) => tx.deleteFrom('challengeRecords').where('id', '=', id).execute())
    } catch (error) {
      services.logger.warn({ record: name, reason: (error as Error).message }, 'a TXT record could not be removed')
      await withSystem(db, (tx) =>
        tx
          .deleteFrom('challengeRecords')
          .where('id', '=', id)
          .where('writtenAt', '<', sql<Date>`now() - interval '7 days'`)
          .execute(),
      )
    }
  }
}
