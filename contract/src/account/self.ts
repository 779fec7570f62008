/** The signed-in account. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { Email, MomentText, Name, TierName } from '../fields.ts'
import { PermissionName } from '../permission-keys.ts'

export const SelfInfo = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  account: z.string(),
  auth: TierName,
  isRoot: z.boolean(),
  dnsType: z.string().describe('Empty while the operator has no DNS type configured.'),
  maxLogExportTimes: z.number().int(),
  login2FAType: z.number().int(),
  permissions: z.array(PermissionName),
  mustChangePassword: z.boolean(),
  address: z.string().describe('Where this call came from, so that nobody shuts himself out unawares.'),
  /** The person who acts for this account in this session. */
  proxiedBy: z
    .object({
      id: z.number().int(),
      account: z.string(),
      auth: TierName,
      until: MomentText.describe('When the session ends, whatever is refreshed.'),
      reason: z.string(),
    })
    .optional(),
  addressCredits: z
    .object({ countries: z.string(), networks: z.string() })
    .describe('Whose data of countries and networks is in use. It may end in a URL: `DB-IP, https://db-ip.com`.'),
  features: z.object({ l4Attack: z.boolean() }),
})
export type SelfInfo = z.output<typeof SelfInfo>

export const account = {
  self: endpoint('account.self.get', 'GET', '/:tier/account/self', {
    tiers,
    can: 'signedIn',
    reply: SelfInfo,
    summary: 'Returns the signed-in account and its permissions.',
  }),
  updateSelf: endpoint('account.self.update', 'PUT', '/:tier/account/self', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({
      name: Name.optional(),
      email: Email.optional(),
      login2FAType: z.number().int().optional().describe('As it is; it is changed by its set-up.'),
    }),
    summary: 'Updates one’s own name and e-mail.',
  }),
}
