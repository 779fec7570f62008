/**
 * Whole-site protection (`setting/adv` on the wire): every visitor is challenged while it is on, and one who keeps
 * being refused is banned for a while.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { BlockType, MomentText, urlCharsMax } from '../fields.ts'
import { settings } from '../settings.ts'
import { attackReasons } from './attack-reasons.ts'

export const siteModes = ['off', 'auto', 'on'] as const

/** The path of a URL as somebody typed it: absolute, without a scheme, or a path only; undefined if it is not a URL. */
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
  mode: wordOf(
    'SiteChallenge',
    'on challenges every visitor of the site, off nobody, auto during an attack.',
    siteModes,
  )
    .default('on')
    .describe('Whether every visitor is challenged, but for those on the allow list.'),
  threshold: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(1_000_000, 'number')
    .default(0)
    .describe(
      'Requests a second, over all nodes, above which `auto` takes an attack to begin; 0 for four times what is usual at that hour, and at least 50.',
    ),
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
  { enable: false, mode: 'on', threshold: 0, blockType: 1, blockSeconds: 600, whiteUrls: [] },
)
/** Whether it was ever saved, for programs that set it only if nobody has. */
export const siteModeExists = {
  exists: endpoint('site.firewall.setting.adv.exists', 'GET', '/:tier/site/:siteId/firewall/setting/adv/exists', {
    can: 'firewall.read',
    reply: z.object({ exists: z.boolean() }),
    summary: 'Whether the protection of a whole site was saved.',
  }),
}

/** An attack, as nodes saw it. */
export const SiteAttack = z.object({
  id: z.number().int().describe('Its report is asked for by it.'),
  beganAt: MomentText,
  endedAt: MomentText.nullable().describe('Null while it lasts.'),
  reason: wordOf('AttackReason', 'Too many requests, or too many that an origin failed to answer.', attackReasons),
  rate: z.number().describe('Requests a second as it began, over all nodes that told.'),
  limit: z.number().describe('How many were too many.'),
  nodes: z.array(z.string()).describe('The nodes that saw it.'),
})
export type SiteAttack = z.output<typeof SiteAttack>

export const siteModeState = {
  state: endpoint('site.firewall.setting.adv.state', 'GET', '/:tier/site/:siteId/firewall/setting/adv/state', {
    can: 'firewall.read',
    beyond: true,
    reply: z.object({
      challenges: z.boolean().describe('Whether every visitor is challenged now, on one node at least.'),
      switchedBy: wordOf('SwitchedBy', 'What switched it: a person who saved it, or the traffic.', [
        'nobody',
        'person',
        'traffic',
      ]),
      since: MomentText.nullable(),
      who: z.string().describe('The name of that person; empty where none did, or is known any more.'),
      attacks: z.array(SiteAttack).describe('The last ten, the newest first.'),
    }),
    summary: 'Whether a whole site is challenged now, since when, and who or what switched it.',
  }),
}
