/** What is known about one address: its score and where it comes from. For support, when a visitor asks why. */
import { z } from 'zod'
import { parseAddress } from '../addresses.ts'
import { endpoint } from '../endpoint.ts'
import { MomentText } from '../fields.ts'

/** The most entries of the operator's list that are returned, worst first. */
export const toldNetworksMax = 20

export const AddressReputation = z.object({
  score: z.number().int().describe('What nodes go by, ten seconds old at most; 0 where it has none.'),
  networks: z
    .array(z.object({ network: z.string(), score: z.number().int() }))
    .max(toldNetworksMax)
    .describe('Lines of the operator’s list that hold it, the worst first.'),
  bans: z
    .object({
      score: z.number().int().describe('What these bans are worth.'),
      sites: z.number().int().describe('Sites that banned it within the last days and did not lift it.'),
      lastAt: MomentText.nullable(),
    })
    .describe('Of the operator’s sites; without a score while bans do not count.'),
})
export type AddressReputation = z.output<typeof AddressReputation>

export const addressReputation = {
  find: endpoint('client.addressReputation.find', 'GET', '/client/addressReputation', {
    ...{ tiers: ['client'], can: 'settings.read', beyond: true, reply: AddressReputation },
    query: z.strictObject({
      ip: z
        .string()
        .max(64, 'wrongFormat')
        .refine((text) => parseAddress(text) !== undefined, 'wrongFormat')
        .describe('An IPv4 or IPv6 address.'),
    }),
    summary: 'Returns the reputation of one address and where it comes from.',
  }),
}
