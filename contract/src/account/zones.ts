/** Which zones an operator's sub-account manages (calls: zones assigned to a sub-user). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { pageOf } from '../paging.ts'

export const accountZones = {
  list: endpoint('client.account.zones.get', 'GET', '/client/:clientId/zones', {
    tiers: ['client'],
    can: 'accounts.read',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    summary: 'Lists the zones of a sub-account. An empty list means all zones.',
  }),
  set: endpoint('client.account.zones.set', 'PUT', '/client/:clientId/zones', {
    tiers: ['client'],
    can: 'accounts.write',
    body: z.strictObject({ zoneIDs: z.array(Id).max(500, 'itemsExceedLimit') }),
    summary: 'Sets the zones of a sub-account, which then sees only these zones and their nodes.',
  }),
}
