/**
 * What a zone's deny list or request limit would have refused in the last hours, across all sites, before it is saved.
 */
import { z } from 'zod'
import { IpList } from '../addresses.ts'
import { endpoint } from '../endpoint.ts'
import { MomentText } from '../fields.ts'
import { zoneAntiCC } from './zone-firewall.ts'

/** Roughly the most rows that a limit is tried on: the addresses with the most requests first, each completely. */
export const zoneTrialRowsMax = 1_000_000

const count = z.number().int()
const hours = z.number().int('number').min(1, 'number').max(24, 'number').default(24)

/** Counts are of requests: each row by its weight. */
export const ZoneTrial = z.object({
  from: MomentText,
  to: MomentText,
  requests: count,
  /** Requests that it would have refused, and how. */
  would: z.object({ block: count, challenge: count }),
  /** Of these, those that were refused at the time, for whatever reason. */
  alreadyRefused: count,
  addresses: count.describe('Different addresses that it would have refused, an IPv6 network of 64 bits as one.'),
  sites: count.describe('Different sites that these asked for.'),
  topAddresses: z.array(z.object({ name: z.string(), requests: count })),
  topSites: z.array(z.object({ siteID: count, name: z.string(), requests: count })),
  oneIn: count.describe('Of a list: one request of so many was read, and counts for all of them.'),
  isPartial: z.boolean().describe('Of a limit: whether there were more rows than are read.'),
  series: z.array(z.object({ time: MomentText, requests: count, refused: count })),
  /** Milliseconds. */
  took: count,
})
export type ZoneTrial = z.output<typeof ZoneTrial>

const common = { tiers: ['client'], can: 'zones.read', reply: ZoneTrial, beyond: true } as const

export const zoneTrial = {
  list: endpoint('client.zone.setting.ipset.backtest', 'POST', '/client/zone/:zoneId/setting/ipset/backtest', {
    ...common,
    body: z.strictObject({ ips: IpList, hours }),
    summary: 'Tries a deny list of a zone on the traffic of the last hours without saving it.',
  }),
  limit: endpoint('client.zone.setting.anticc.backtest', 'POST', '/client/zone/:zoneId/setting/anticc/backtest', {
    ...common,
    body: zoneAntiCC.schema.pick({ seconds: true, times: true }).extend({ hours }),
    summary: 'Tries a limit of requests over all sites of a zone on the traffic of the last hours without saving it.',
  }),
}
