/** Ports on which the nodes of a zone listen besides those of http and https. */
import { zonePorts, zonePortsMax } from '@breakwater/contract/nodes/zone-ports.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import { changeZone } from './change-zone.ts'
import { requireZone } from './require-zone.ts'

export function zonePortsFeature(): Feature {
  return implement(zonePorts, {
    async list({ db, zoneId, query }) {
      await requireZone(db, zoneId)
      const all = db.selectFrom('zonePorts').where('zoneId', '=', zoneId)
      const rows = await all.select(['id', 'port', 'tls']).orderBy('port').$call(onePage(query)).execute()
      const total = await countOf(all)
      const used = await sitesByPort(
        db,
        zoneId,
        rows.map(({ port }) => port),
      )
      const data = rows.map((row) => ({ ...row, portType: 7 as const, sites: used.get(row.port) ?? 0 }))
      return { data, total }
    },

    async create(call) {
      const { zoneId, body, caller } = call
      requireLayer7(body.portType)
      return changeZone(call, zoneId, async (db) => {
        const count = await countOf(db.selectFrom('zonePorts').where('zoneId', '=', zoneId))
        if (count >= zonePortsMax) throw new Fault('itemsExceedLimit', zonePortsMax)
        await requireFree(db, zoneId, body.port)
        const { port, tls } = body
        return db
          .insertInto('zonePorts')
          .values({ tenantId: caller.tenantId, zoneId, port, tls })
          .returning('id')
          .executeTakeFirstOrThrow()
      })
    },

    async remove(call) {
      const { zoneId, body } = call
      await changeZone(call, zoneId, async (db) => {
        await db.deleteFrom('zonePorts').where('zoneId', '=', zoneId).where('id', 'in', body.ids).execute()
      })
    },

    async update(call) {
      const { zoneId, body } = call
      requireLayer7(body.portType)
      await changeZone(call, zoneId, async (db) => {
        const row = await db
          .selectFrom('zonePorts')
          .select('port')
          .where('zoneId', '=', zoneId)
          .where('id', '=', body.id)
          .executeTakeFirst()
        if (!row) throw gone()
        if (row.port !== body.port) await requireFree(db, zoneId, body.port)
        const { port, tls } = body
        await db.updateTable('zonePorts').set({ port, tls }).where('id', '=', body.id).execute()
      })
    },
  })
}

/** Layer 4 ports will come with nodes that support them. */
function requireLayer7(portType: number): void {
  if (portType !== 7) throw new Fault('illegalPortType')
}

/** Throws if the port is taken. The caller holds the zone's lock. */
async function requireFree(db: Database, zoneId: number, port: number): Promise<void> {
  const taken = await db
    .selectFrom('zonePorts')
    .select('id')
    .where('zoneId', '=', zoneId)
    .where('port', '=', port)
    .executeTakeFirst()
  if (taken) throw new Fault('duplicatedData')
}

/** How many sites of the zone answer on each port. Sites belong to customers, so they are counted as the system. */
async function sitesByPort(db: Database, zoneId: number, ports: number[]): Promise<Map<number, number>> {
  if (ports.length === 0) return new Map()
  const { rows } = await asSystem(db, (tx) =>
    sql<{ port: number; sites: number }>`
      select p.port::int as port, count(distinct s.id)::int as sites
      from sites s
      cross join lateral jsonb_array_elements_text(s.settings->'ports'->'ports') as p(port)
      where s.removed_at is null and p.port::int = any(${ports}::int[]) and s.product_id in (
        select g.product_id from product_groups g join groups o on o.id = g.group_id where o.zone_id = ${zoneId}::int)
      group by 1`.execute(tx),
  )
  return new Map(rows.map(({ port, sites }) => [port, sites]))
}
