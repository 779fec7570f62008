/**
 * How all nodes of a zone protect themselves: addresses that are always refused, a limit across all sites, and unknown
 * hosts.
 */
import { z } from 'zod'
import { IpList } from '../addresses.ts'
import { endpoint } from '../endpoint.ts'
import { BlockType } from '../fields.ts'
import { settings } from '../settings.ts'
import { tlsLimitCountSettings } from './zone-settings.ts'

const access = { read: 'zones.read', write: 'zones.write' } as const

const ipsetId = 'client.zone.setting.ipset'
const ipsetGroup = settings(
  'zone',
  'ipset',
  {
    ...{ id: ipsetId, updateId: `${ipsetId}.update`, path: 'setting/ipset', ...access },
    schema: z.strictObject({
      enable: z.boolean().describe('Whether they are refused.'),
      ips: IpList.describe(
        'Addresses, ranges and CIDRs: each request of theirs gets 403 from every site of the zone; nodes that can drop their packets do so (kernelBans).',
      ),
    }),
    noun: 'addresses that are refused by a whole zone',
  },
  { enable: false, ips: [] },
)
const remove = endpoint(`${ipsetId}.remove`, 'DELETE', '/client/zone/:zoneId/setting/ipset', {
  tiers: ['client'],
  can: 'zones.write',
  body: z.strictObject({ ips: IpList }),
  summary: 'Removes addresses from the deny list of a zone, written as they are listed.',
})
const flush = endpoint(`${ipsetId}.flush`, 'POST', '/client/zone/:zoneId/setting/ipset/flush', {
  tiers: ['client'],
  can: 'zones.write',
  summary: 'Empties the deny list of a zone and turns it off.',
})
/** The list as a settings group that is reset to the defaults by `flush`. */
export const zoneIpset = ipsetGroup
export const zoneIpsetCalls = { get: ipsetGroup.calls.get, update: ipsetGroup.calls.update, remove, flush }

const anticcId = 'client.zone.setting.anticc'
export const zoneAntiCC = settings(
  'zone',
  'anticc',
  {
    ...{ id: anticcId, updateId: `${anticcId}.update`, isRemoved: true, path: 'setting/anticc', ...access },
    schema: z.strictObject({
      enable: z.boolean().describe('Whether it holds.'),
      seconds: z.number().int('number').min(1, 'number').max(86_400, 'number').describe('The time that is counted.'),
      times: z
        .number()
        .int('number')
        .min(1, 'number')
        .max(1_000_000, 'number')
        .describe(
          'Requests of one address to all sites of the zone in that time, on all of its nodes together; above it is challenged, and above ten times as many banned from the zone for ten minutes.',
        ),
      blockType: BlockType,
    }),
    noun: 'limit of requests of one address over all sites of a zone',
  },
  { enable: false, seconds: 60, times: 600, blockType: 1 },
)

const invalidId = 'client.zone.setting.invalidDomainLimitCount'
export const invalidDomainLimitCountSettings = settings(
  'zone',
  'invalidDomainLimitCount',
  {
    ...{ id: invalidId, updateId: invalidId, path: 'setting/invalidDomainLimitCount', ...access },
    schema: z.strictObject({
      invalidDomainLimitCount: z
        .number()
        .int('number')
        .min(0, 'number')
        .max(1_000_000, 'number')
        .describe(
          'Requests for hosts that no site has, of one address within a minute on a node; past it the address is banned from the zone for ten minutes. 0 for no limit.',
        ),
    }),
    noun: 'limit of requests for unknown hosts',
  },
  { invalidDomainLimitCount: 0 },
)

export const kernelBans = settings(
  'zone',
  'kernelBans',
  {
    ...{ id: 'client.zone.setting.kernelBans', path: 'setting/kernelBans', ...access },
    schema: z.strictObject({
      enable: z
        .boolean()
        .describe(
          'Whether nodes that may (root with nftables) drop packets of refused and banned addresses to their ports in the kernel. The others, and all without it, refuse them in nginx.',
        ),
    }),
    noun: 'packets of banned addresses dropped in the kernel',
    beyond: true,
  },
  { enable: true },
)

export const zoneFirewall = {
  get: endpoint('client.zone.setting.firewall', 'GET', '/client/zone/:zoneId/setting/firewall', {
    tiers: ['client'],
    can: 'zones.read',
    reply: z.object({
      ipset: zoneIpset.schema.extend({ ips: z.array(z.string()) }),
      anticc: zoneAntiCC.schema,
      ...invalidDomainLimitCountSettings.schema.shape,
      ...tlsLimitCountSettings.schema.shape,
    }),
    summary: 'Returns all firewall settings of a zone.',
  }),
}
