/** An operator's sign-in policy: verification by e-mail, and the networks from which its own people may sign in. */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { BasedOn } from '../based-on.ts'
import { endpoint } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'

const cidrsMax = 200

const Verify = {
  enable: z.boolean().describe('Asks accounts without a second step of their own for a code by mail.'),
  login2FAType: numberOf(
    'AccountVerification',
    'How accounts without a second step of their own sign in',
    { atOnce: 0, mailedCode: 1, automatic: 2 },
    'wrongFormat',
  ),
}

const Cidr = z
  .string()
  .trim()
  .refine((text) => parseRange(text) !== undefined, 'wrongFormat')

export const signInPolicy = {
  getVerify: endpoint('client.setting.accountVerify.get', 'GET', '/client/setting/accountVerify', {
    tiers: ['client'],
    can: 'settings.read',
    reply: z.object({
      ...Verify,
      mailReady: z.boolean().describe('Whether the mail settings have passed their test.'),
    }),
    summary: 'Returns whether accounts without a second step are asked for a code by e-mail.',
  }),
  setVerify: endpoint('client.setting.accountVerify.update', 'PUT', '/client/setting/accountVerify', {
    tiers: ['client'],
    can: 'settings.write',
    personOnly: true,
    body: z.strictObject({ enable: Verify.enable, login2FAType: Verify.login2FAType.optional(), basedOn: BasedOn }),
    summary: 'Switches verification by e-mail on or off.',
  }),
  getCidrs: endpoint('client.setting.restrictGroupCIDRs.get', 'GET', '/client/setting/restrictGroupCIDRs', {
    tiers: ['client'],
    can: 'settings.read',
    reply: z.object({ cidrs: z.array(z.string()), address: z.string().describe('Where the one who asks comes from.') }),
    summary: 'Returns the networks from which the operator’s own people may sign in.',
  }),
  setCidrs: endpoint('client.setting.restrictGroupCIDRs.update', 'PUT', '/client/setting/restrictGroupCIDRs', {
    tiers: ['client'],
    can: 'settings.write',
    personOnly: true,
    body: z.strictObject({
      cidrs: z.array(Cidr).max(cidrsMax, 'itemsExceedLimit'),
      confirm: z.boolean().default(false).describe('Saves also what locks out the one who asks.'),
      basedOn: BasedOn,
    }),
    summary: 'Sets the networks from which the operator’s own people may sign in; empty for any.',
  }),
}
