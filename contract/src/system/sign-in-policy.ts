/** What an operator asks of those who sign in: verification by mail, and where its own people may come from (gaps B-48). */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { endpoint } from '../endpoint.ts'

const cidrsMax = 200

const Verify = {
  enable: z.boolean().describe('Asks accounts without a second step of their own for a code by mail.'),
  login2FAType: z
    .union([z.literal(0), z.literal(1), z.literal(2)], 'wrongFormat')
    .describe('How they sign in: 1 while it is on; while it is off 0 at once, or 2 automatic.'),
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
    summary: 'Whether accounts without a second step are asked for a code by mail.',
  }),
  setVerify: endpoint('client.setting.accountVerify.update', 'PUT', '/client/setting/accountVerify', {
    tiers: ['client'],
    can: 'settings.write',
    personOnly: true,
    audit: 'client.setting.accountVerify.update',
    body: z.strictObject({ enable: Verify.enable, login2FAType: Verify.login2FAType.optional() }),
    summary: 'Switches verification by mail on or off.',
  }),
  getCidrs: endpoint('client.setting.restrictGroupCIDRs.get', 'GET', '/client/setting/restrictGroupCIDRs', {
    tiers: ['client'],
    can: 'settings.read',
    reply: z.object({ cidrs: z.array(z.string()), address: z.string().describe('Where the one who asks comes from.') }),
    summary: 'Where the operator’s own people may come from.',
  }),
  setCidrs: endpoint('client.setting.restrictGroupCIDRs.update', 'PUT', '/client/setting/restrictGroupCIDRs', {
    tiers: ['client'],
    can: 'settings.write',
    personOnly: true,
    audit: 'client.setting.restrictGroupCIDRs.update',
    body: z.strictObject({
      cidrs: z.array(Cidr).max(cidrsMax, 'itemsExceedLimit'),
      confirm: z.boolean().default(false).describe('Saves also what locks out the one who asks.'),
    }),
    summary: 'Sets where the operator’s own people may come from; empty for anywhere.',
  }),
}
