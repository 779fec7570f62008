/** For the operator: records that its DNS did not accept. */
import { dnsRecords } from '@breakwater/contract/dns/site-dns.ts'
import { sql } from 'kysely'
import { asSystem } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { type Feature, implement } from '../http/implement.ts'

export function dnsRecordsFeature(): Feature {
  return implement(dnsRecords, {
    unprocessed: ({ db, query, caller }) =>
      asSystem(db, async (tx) => {
        const rows = tx.selectFrom('dnsRecords').where('tenantId', '=', caller.tenantId).where('state', '=', 'failed')
        const found = await rows
          .select(['id', 'type', 'name', 'addresses', 'reason', 'createdAt'])
          .orderBy('id')
          .$call(onePage(query))
          .execute()
        const data = found.map(({ addresses, createdAt, ...row }) => ({
          ...row,
          value: addresses.join(' '),
          createdAt: createdAt.toISOString(),
        }))
        return { data, total: await countOf(rows) }
      }),

    async recovery({ db, body, caller, audit }) {
      await asSystem(db, async (tx) => {
        await tx
          .updateTable('dnsRecords')
          .set({ nextAt: new Date() })
          .where('tenantId', '=', caller.tenantId)
          .where('state', '=', 'failed')
          .where('id', 'in', body.ids)
          .execute()
        await sql`select pg_notify('dns_records', '')`.execute(tx)
      })
      audit.detail = { ids: body.ids }
    },
  })
}
