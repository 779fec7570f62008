/** Addresses that the nodes of a zone have banned from all of its sites, and lifting these bans. */
import { z } from 'zod'
import { IpList } from '../addresses.ts'
import { ZoneBanCauseWord } from '../bans/zone-ban-cause.ts'
import { endpoint } from '../endpoint.ts'
import { MomentText } from '../fields.ts'
import { pageOf, sorted } from '../paging.ts'

export const ZoneBan = z.object({
  ip: z.string().describe('An IPv4 address, or an IPv6 /64.'),
  cause: ZoneBanCauseWord,
  createdAt: MomentText,
  expired: MomentText.describe('When it is over.'),
  node: z.string().describe('The node that banned the address.'),
  asked: z
    .string()
    .describe('What the address asked for last, as method and URL, or the host that its TLS handshake named.'),
})
export type ZoneBan = z.output<typeof ZoneBan>

const id = 'client.zone.bans'
export const zoneBans = {
  list: endpoint(`${id}.list`, 'GET', '/client/zone/:zoneId/bans', {
    tiers: ['client'],
    can: 'zones.read',
    query: sorted('ip', 'createdAt', 'expired'),
    reply: pageOf(ZoneBan),
    kind: 'list',
    summary: 'Lists the addresses that are banned from all sites of a zone now.',
    beyond: true,
  }),
  remove: endpoint(`${id}.remove`, 'DELETE', '/client/zone/:zoneId/bans', {
    tiers: ['client'],
    can: 'zones.write',
    body: z.strictObject({ ips: IpList }),
    summary: 'Lifts the bans of these addresses, written as they are listed, on every node of the zone.',
    beyond: true,
  }),
}
