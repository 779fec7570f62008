/** The firewall settings of a zone, read as one, and the list of addresses that the zone refuses. */
import {
  invalidDomainLimitCountSettings,
  zoneAntiCC,
  zoneFirewall,
  zoneIpset,
  zoneIpsetCalls,
} from '@breakwater/contract/nodes/zone-firewall.ts'
import { tlsLimitCountSettings } from '@breakwater/contract/nodes/zone-settings.ts'
import type { Database } from '../db/database.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { type Feature, implement } from '../http/implement.ts'
import { readSettings, removeSettings, writeSettings } from '../settings/owned-settings.ts'
import { changeZone } from './change-zone.ts'
import { requireZone } from './require-zone.ts'

const readIpset = async (db: Database, zoneId: number) =>
  (await readSettings(db, 'zone', zoneId, zoneIpset.name, zoneIpset.schema)) ?? zoneIpset.defaults

export function zoneFirewallFeature(): Feature {
  const ipset = implement(zoneIpsetCalls, {
    async get({ db, zoneId }) {
      const { id } = await requireZone(db, zoneId)
      return readIpset(db, id)
    },
    async update(call) {
      const key = { owner: 'zone' as const, ownerId: call.zoneId, name: zoneIpset.name }
      const { basedOn, ...ipset } = call.body
      await changeZone(call, call.zoneId, async (db) => {
        requireUnchanged(basedOn, await readIpset(db, call.zoneId))
        await writeSettings(db, { ...key, tenantId: call.caller.tenantId }, ipset)
      })
    },
    async remove(call) {
      const key = { owner: 'zone' as const, ownerId: call.zoneId, name: zoneIpset.name }
      await changeZone(call, call.zoneId, async (db) => {
        const { enable, ips } = await readIpset(db, call.zoneId)
        const gone = new Set(call.body.ips)
        const left = ips.filter((ip) => !gone.has(ip))
        // A saved list has at least one address.
        if (left.length === 0) await removeSettings(db, 'zone', call.zoneId, zoneIpset.name)
        else await writeSettings(db, { ...key, tenantId: call.caller.tenantId }, { enable, ips: left })
      })
    },
    async flush(call) {
      await changeZone(call, call.zoneId, (db) => removeSettings(db, 'zone', call.zoneId, zoneIpset.name))
    },
  })
  const all = implement(zoneFirewall, {
    async get({ db, zoneId }) {
      const { id } = await requireZone(db, zoneId)
      const read = async <Value extends object>(group: { name: string; schema: unknown; defaults: Value }) =>
        (await readSettings(db, 'zone', id, group.name, group.schema as never)) ?? group.defaults
      return {
        ipset: await readIpset(db, id),
        anticc: (await read(zoneAntiCC)) as typeof zoneAntiCC.defaults,
        ...((await read(invalidDomainLimitCountSettings)) as typeof invalidDomainLimitCountSettings.defaults),
        ...((await read(tlsLimitCountSettings)) as typeof tlsLimitCountSettings.defaults),
      }
    },
  })
  return [...ipset, ...all]
}
