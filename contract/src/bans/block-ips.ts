/** Addresses that are banned now (`blockIPs` on the wire): by which guard, until when, and for which request. */
import { z } from 'zod'
import { IpList } from '../addresses.ts'
import { type GuardName, guardIds } from '../edge/guards.ts'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, MomentText, QueryId } from '../fields.ts'
import { listOf, pageOf, sorted } from '../paging.ts'

/** What blocked the request that led to a ban: a guard or a kind of module, named as in the logs. */
export const BanCause = wordOf(
  'BanCause',
  'The guard that refused the request that led to a ban.',
  Object.keys(guardIds) as [GuardName, ...GuardName[]],
)

/** An empty filter finds everything. */
const Ips = listOf(z.string().max(128, 'wrongFormat'))
  .transform((ips) => (ips.length > 0 ? ips : undefined))
  .pipe(IpList.optional())

export const BlockedIp = z.object({
  ip: z.string().describe('An IPv4 address, or an IPv6 /64.'),
  siteID: z.number().int(),
  siteName: z.string(),
  causes: z.array(z.string()).describe('The guards that led to it.'),
  zoneID: z.number().int(),
  createdAt: MomentText,
  expired: MomentText.describe('When it is over.'),
  rule: z.number().int().describe('The rule of that guard; 0 where it has none.'),
  reqID: z.string().describe('The request that led to it.'),
  reference: z.string().describe('The reference of that request, for Explain.'),
  node: z.string().describe('The node that banned the address.'),
})
export type BlockedIp = z.output<typeof BlockedIp>

export const blockIPs = {
  list: endpoint('blockIPs.list', 'GET', '/:tier/blockIPs', {
    can: 'firewall.read',
    query: sorted('ip', 'siteName', 'createdAt', 'expired').extend({
      siteID: QueryId.optional(),
      ips: Ips.optional().describe('Addresses, ranges and CIDRs: what they have in common with.'),
      causes: listOf(BanCause).optional(),
      zoneID: QueryId.optional().describe('Only the operator’s console has it.'),
    }),
    reply: pageOf(BlockedIp),
    kind: 'list',
    summary: 'Lists the addresses that sites have banned.',
  }),
  remove: endpoint('blockIPs.remove', 'DELETE', '/:tier/blockIPs', {
    can: 'firewall.write',
    body: z.strictObject({
      siteID: Id.optional(),
      ips: IpList.optional(),
      causes: z.array(BanCause).min(1, 'required').max(100, 'itemsExceedLimit').optional(),
      zoneID: Id.optional().describe('Only the operator’s console has it.'),
    }),
    summary: 'Lifts the bans that match all given fields, on every node. At least one field is required.',
  }),
}
