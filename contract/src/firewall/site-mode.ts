/**
 * Protection of a whole site (`setting/adv` on the wire): every visitor is challenged while it is on, and who keeps being
 * refused is banned for a while.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { BlockType, urlCharsMax } from '../fields.ts'
import { settings } from '../settings.ts'

export const siteModes = ['off', 'on'] as const

/** The path of what somebody wrote for a URL: absolute, without its scheme, or a path alone; nothing where it is none. */
export function pathOfUrl(text: string): string | undefined {
  if (text === '' || /[\s\\]/.test(text)) return undefined
  const isPath = text.startsWith('/') && !text.startsWith('//')
  if (!isPath && /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https?:\/\//i.test(text)) return undefined
  const whole = isPath ? `http://site${text}` : /^https?:\/\//i.test(text) ? text : `http://${text}`
  try {
    return decodeURIComponent(new URL(whole).pathname)
  } catch {
    return undefined
  }
}

const WhiteUrl = z
  .string()
  .min(1, 'required')
  .max(urlCharsMax, 'charactersExceedLimit')
  .refine((text) => pathOfUrl(text) !== undefined, 'wrongFormat')

export const SiteMode = z.strictObject({
  enable: z.boolean().describe('Whether any of it holds.'),
  mode: wordOf('SiteChallenge', 'on challenges every visitor of the site, off nobody.', siteModes)
    .default('on')
    .describe('Whether every visitor is challenged, but for those on the allow list.'),
  blockType: BlockType.describe('How visitors are challenged.'),
  blockSeconds: z
    .number()
    .int('number')
    .min(60, 'number')
    .max(86_400, 'number')
    .describe(
      'Seconds for which an address is banned, on every node, that one node refused (403, 429) ten times within a minute.',
    ),
  whiteUrls: z
    .array(WhiteUrl)
    .max(50, 'itemsExceedLimit')
    .refine((urls) => new Set(urls).size === urls.length, 'duplicatedData')
    .describe('URLs that are not challenged with the site, by their path; one that ends in / means all below it.'),
})
export type SiteMode = z.output<typeof SiteMode>

export const siteMode = settings(
  'site',
  'siteMode',
  {
    id: 'site.firewall.setting.adv',
    path: 'firewall/setting/adv',
    schema: SiteMode,
    read: 'firewall.read',
    write: 'firewall.write',
    noun: 'protection of a whole site',
  },
  { enable: false, mode: 'on', blockType: 1, blockSeconds: 600, whiteUrls: [] },
)
/** Whether it was ever saved: what a program asks that sets it only where nobody has. */
export const siteModeExists = {
  exists: endpoint('site.firewall.setting.adv.exists', 'GET', '/:tier/site/:siteId/firewall/setting/adv/exists', {
    can: 'firewall.read',
    reply: z.object({ exists: z.boolean() }),
    summary: 'Whether the protection of a whole site was saved.',
  }),
}
