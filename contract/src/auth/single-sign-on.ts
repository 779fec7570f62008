/**
 * Single sign-on by OpenID Connect: signing in, and the settings of an operator or the vendor. Beyond the
 * specification.
 */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { endpoint, tiers } from '../endpoint.ts'
import { Id, Name, TierName } from '../fields.ts'
import { pageOf } from '../paging.ts'
import { TokenSet } from './sign-in.ts'

/** How long a person may spend at the provider, in seconds. */
export const ssoSeconds = 10 * 60

const Binding = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32,128}$/, 'wrongFormat')
  .describe('A random text that stays in the browser: the answer is only taken from the one that asked.')

/** The provider's issuer URL. Plain HTTP only on this machine, for trying it out. */
const Issuer = z
  .string()
  .trim()
  .max(512, 'charactersExceedLimit')
  .refine((text) => text !== '', { message: 'required', abort: true })
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || url.username || url.search || url.hash) return false
    return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.[\d.]+)$/.test(url.hostname))
  }, 'wrongFormat')

export const SsoSettings = z.strictObject({
  auth: TierName.describe('Whose console.'),
  enable: z.boolean(),
  name: Name.describe('What stands on the button.'),
  issuer: Issuer,
  clientID: Name,
  clientSecret: z
    .string()
    .max(512, 'charactersExceedLimit')
    .optional()
    .describe('Written and never read back; left out, it stays. Empty for a public client.'),
  matchesEmail: z
    .boolean()
    .default(true)
    .describe('Lets in existing accounts by an e-mail that the provider has verified.'),
  createsAccounts: z.boolean().default(false).describe('Makes an account for whoever has none.'),
})

const stored = SsoSettings.omit({ clientSecret: true }).extend({
  issuer: z.string(),
  hasSecret: z.boolean(),
  redirectURI: z.string().describe('To be registered at the provider.'),
})
export type StoredSso = z.output<typeof stored>

export const singleSignOn = {
  list: endpoint('auth.sso.list', 'GET', '/:tier/sso', {
    tiers,
    can: 'public',
    reply: pageOf(z.object({ id: z.number().int(), name: z.string() })),
    kind: 'list',
    beyond: true,
    summary: 'Lists the providers on a console’s sign-in page.',
  }),
  begin: endpoint('auth.sso.begin', 'POST', '/:tier/sso/begin', {
    tiers,
    can: 'public',
    audit: true,
    body: z.strictObject({ id: Id, binding: Binding }),
    reply: z.object({ url: z.string().describe('Where the browser goes.') }),
    beyond: true,
    summary: 'Starts a sign-in at a provider.',
  }),
  finish: endpoint('auth.sso.finish', 'POST', '/:tier/sso/finish', {
    tiers,
    can: 'public',
    audit: true,
    body: z.strictObject({
      binding: Binding,
      query: z
        .string()
        .min(1, 'required')
        .max(8192, 'charactersExceedLimit')
        .describe('What the provider added to the address.'),
    }),
    reply: TokenSet,
    beyond: true,
    summary: 'Exchanges the provider’s answer for a session.',
  }),
}

const settingTiers = ['client', 'admin'] as const

export const ssoSettings = {
  get: endpoint('setting.sso.get', 'GET', '/:tier/setting/sso', {
    tiers: settingTiers,
    can: 'settings.read',
    reply: pageOf(stored),
    kind: 'list',
    beyond: true,
    summary: 'Returns the single sign-on settings of one’s consoles.',
  }),
  update: endpoint('setting.sso.update', 'PUT', '/:tier/setting/sso', {
    tiers: settingTiers,
    can: 'settings.write',
    personOnly: true,
    body: SsoSettings.extend({ basedOn: BasedOn }),
    beyond: true,
    summary: 'Saves the single sign-on settings of a console.',
  }),
  test: endpoint('setting.sso.test', 'POST', '/:tier/setting/sso/test', {
    tiers: settingTiers,
    can: 'settings.write',
    body: z.strictObject({ issuer: Issuer, clientID: Name }),
    reply: z.object({
      ok: z.boolean(),
      detail: z.string().describe('What the provider said, where it is not what it should be.'),
    }),
    beyond: true,
    summary: 'Fetches a provider’s OpenID Connect configuration.',
  }),
}
