/** Addresses that are banned from all sites of a zone, as shown to its operator, and lifting their bans. */
import type { ZoneBanCause } from '@breakwater/contract/edge/zone-bans.ts'
import { zoneBans } from '@breakwater/contract/nodes/zone-bans.ts'
import { sql } from 'kysely'
import { liftZoneBans } from '../bans/lift-bans.ts'
import { withoutWholeMask } from '../bans/read-bans.ts'
import { asSystem } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { type Feature, implement } from '../http/implement.ts'
import { requireZone } from './require-zone.ts'

const sortColumns = { ip: 'address', createdAt: 'createdAt', expired: 'until' } as const
/** The most addresses listed in an audit entry. */
const namedMax = 20

export function zoneBansFeature(): Feature {
  return implement(zoneBans, {
    async list({ db, zoneId, query }) {
      const { id } = await requireZone(db, zoneId)
      const { page, pageSize, sortBy = 'createdAt', orderBy } = query
      return asSystem(db, async (tx) => {
        const found = tx
          .selectFrom('zoneBans')
          .where('zoneId', '=', id)
          .where('until', '>', sql<Date>`now()`)
          .where('liftedAt', 'is', null)
        const rows = await found
          .select(['cause', 'createdAt', 'until', 'node', 'asked', sql<string>`address::text`.as('ip')])
          .orderBy(sortColumns[sortBy], orderBy)
          .orderBy('address', orderBy)
          .$call(onePage({ page, pageSize }))
          .execute()
        const data = rows.map(({ ip, cause, createdAt, until, node, asked }) => ({
          ...{ ip: withoutWholeMask(ip), cause: cause as ZoneBanCause, node, asked },
          ...{ createdAt: createdAt.toISOString(), expired: until.toISOString() },
        }))
        return { data, total: await countOf(found) }
      })
    },

    async remove({ db, zoneId, body, audit }) {
      const { id } = await requireZone(db, zoneId)
      const lifted = await asSystem(db, (tx) => liftZoneBans(tx, id, body.ips))
      audit.detail = { zoneId: id, ips: lifted.slice(0, namedMax).map(withoutWholeMask), count: lifted.length }
    },
  })
}
