/** Which zones an operator's sub-account looks after (calls: zones assigned to a sub-user). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageOf } from '../paging.ts'

export const accountZones = {
  list: endpoint('client.account.zones.get', 'GET', '/client/:clientId/zones', {
    tiers: ['client'],
    can: 'accounts.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    summary: 'Lists the zones of a sub-account; none of them means all.',
  }),
  set: endpoint('client.account.zones.set', 'PUT', '/client/:clientId/zones', {
    tiers: ['client'],
    can: 'accounts.write',
    audit: 'client.account.zones.set',
    body: z.strictObject({ zoneIDs: z.array(z.number().int().positive()).max(500, 'itemsExceedLimit') }),
    summary: 'Sets the zones of a sub-account: it sees these zones and their nodes, and no others.',
  }),
}
