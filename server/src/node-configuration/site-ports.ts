/** The ports of its zone that a site answers on, besides those of http and https. */
import { sitePorts } from '@breakwater/contract/nodes/zone-ports.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { SitePart } from '../publish/part.ts'
import { gatherSites } from '../publish/site-part.ts'

const Chosen = z.object({ ports: z.array(z.number()) })
type Chosen = z.output<typeof Chosen>

const name = 'ports'

export const sitePortsPart: SitePart<Chosen> = {
  owner: 'site',
  name: `settings/${name}`,
  schema: Chosen,
  gather: gatherSites,
  empty: { ports: [] },
  items: ({ ports }) => ports.map((port) => [`settings/ports/${port}`, { port }] as const),
  render: ({ ports }, out) => out.set('settings', ports.length === 0 ? {} : { ports }),
  // A node without the feature would just not serve the site on other ports, which does no harm; but it would reject
  // the whole artefact.
  requires: ({ ports }) => (ports.length === 0 ? [] : ['nodeConfiguration']),
  restore: (db, site, { ports }) => save(db, site.id, ports),
}

async function save(db: Database, siteId: number, ports: number[]): Promise<void> {
  const settings = sql<string>`settings || jsonb_build_object(${name}::text, ${JSON.stringify({ ports })}::jsonb)`
  await db.updateTable('sites').set({ settings }).where('id', '=', siteId).execute()
}

async function chosenBy(db: Database, siteId: number): Promise<number[]> {
  const row = await db.selectFrom('sites').select('settings').where('id', '=', siteId).executeTakeFirstOrThrow()
  return (row.settings[name] as Chosen | undefined)?.ports ?? []
}

/** The ports of the zones that serve a product; if two zones differ, the main one counts. Runs as the system. */
async function offeredTo(db: Database, productId: number): Promise<{ port: number; tls: boolean }[]> {
  const { rows } = await sql<{ port: number; tls: boolean }>`
    select distinct on (p.port) p.port, p.tls
    from product_groups g join groups o on o.id = g.group_id join zone_ports p on p.zone_id = o.zone_id
    where g.product_id = ${productId}::int order by p.port, o.is_backup, o.id`.execute(db)
  return rows
}

export function sitePortsFeature({ publisher }: Services): Feature {
  return implement(sitePorts, {
    async zonePorts({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const chosen = await chosenBy(db, site.id)
      const offered = await asSystem(db, (tx) => offeredTo(tx, site.productId))
      const from = (query.page - 1) * query.pageSize
      const data = offered
        .slice(from, from + query.pageSize)
        .map(({ port, tls }) => ({ port, portType: 7, tls, chosen: chosen.includes(port) }))
      return { data, total: offered.length }
    },

    async add(call) {
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const offered = await asSystem(db, (tx) => offeredTo(tx, site.productId))
        const odd = call.body.ports.find((port) => !offered.some((one) => one.port === port))
        if (odd !== undefined) throw new Fault('illegalPortMapping', `port ${odd} is not open in this zone`)
        const ports = [...new Set([...(await chosenBy(db, site.id)), ...call.body.ports])].sort((a, b) => a - b)
        const { limitations } = await db
          .selectFrom('sites')
          .select('limitations')
          .where('id', '=', site.id)
          .executeTakeFirstOrThrow()
        if (limitations.ports > 0 && ports.length > limitations.ports)
          throw new Fault('portsExceedLimit', limitations.ports)
        await save(db, site.id, ports)
      })
    },

    async remove(call) {
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        const ports = (await chosenBy(db, site.id)).filter((port) => !call.body.ports.includes(port))
        await save(db, site.id, ports)
      })
    },
  })
}
