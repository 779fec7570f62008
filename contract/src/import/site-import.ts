/**
 * Moving here from elsewhere: the configuration of another program becomes a draft of sites, and the draft becomes
 * sites.
 */
import { z } from 'zod'
import { tlsSettings } from '../certificates/tls-settings.ts'
import { bandwidthLimits } from '../delivery/bandwidth-limits.ts'
import { BasicSettings } from '../delivery/basic-settings.ts'
import { cacheRules } from '../delivery/cache-rules.ts'
import { Compression } from '../delivery/compression.ts'
import { OriginTimeouts } from '../delivery/origin-timeouts.ts'
import { DomainPattern } from '../domain-name.ts'
import { DomainInput } from '../domains/domains.ts'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, Name } from '../fields.ts'
import { allowRules, denyRules } from '../firewall/ip-rules.ts'
import { customHeaders } from '../modules/custom-headers.ts'
import type { ModuleFamily } from '../modules/module-family.ts'
import { proxyRewrites } from '../modules/proxy-rewrites.ts'
import { redirectsPerSiteMax, urlRedirects } from '../modules/url-redirects.ts'
import type { RuleList } from '../rule-list.ts'

export const importKinds = ['nginx', 'cloudflare', 'nginxProxyManager', 'csv'] as const
export type ImportKind = (typeof importKinds)[number]

/** The largest file in bytes; the most domains per draft, notes per draft, and sites per creating call. */
export const importBytesMax = 10_485_760
export const importDomainsMax = 5000
export const importNotesMax = 2000
export const importSitesMax = 50

/** Text in a JSON body, which has a limit of its own. */
const textCharsMax = 1_000_000
const ofSiteMax = 1000

/** Why a line was not carried over, or not unchanged. The first group needs attention, the last none. */
export const importReasons = [
  // Protection, or something needed before visitors come.
  ...['basicAuth', 'access', 'rateLimit', 'protection', 'certificate', 'origin', 'privateOrigin', 'redirectOrigin'],
  // Done differently, or not at all.
  ...['condition', 'variable', 'map', 'regex', 'otherOrigin', 'location', 'localFiles', 'answer', 'errorPage'],
  ...['header', 'hostHeader', 'value', 'changed', 'port', 'layer4', 'rule', 'unknown'],
  // Not a site.
  ...['syntax', 'include', 'serverName', 'duplicateName', 'tooMany', 'disabled', 'notProxied', 'recordType'],
  // Done by the edge itself.
  'byEdge',
] as const
export type ImportReason = (typeof importReasons)[number]

const ImportNote = z.object({
  line: z.number().int().describe('Of the source; of Nginx Proxy Manager the id of the row.'),
  text: z.string().describe('The source there, 200 characters at the most.'),
  reason: z
    .enum(importReasons)
    .meta({ id: 'ImportReason', description: 'Why it was not carried over, or not as it stood.' }),
})
export type ImportNote = z.output<typeof ImportNote>

/** The rules of a list, as its own call accepts them. */
const rulesOf = <Item extends z.ZodObject>(list: RuleList<Item>) =>
  z
    .array(list.calls.create.body as unknown as z.ZodType<z.output<Item>, z.input<Item>>)
    .max(list.max, 'itemsExceedLimit')
    .default([])

/** A module of the site: its items, and the domains of the site bound to it. */
const modulesOf = <Item extends z.ZodObject>(
  { item, check }: Pick<ModuleFamily<Item>, 'item' | 'check'>,
  max: number,
) => {
  const one = z.strictObject(item.shape).superRefine((value, context) => check?.(value as z.output<Item>, context))
  const items = z
    .array(one as unknown as z.ZodType<z.output<Item>, z.input<Item>>)
    .min(1, 'required')
    .max(max, 'itemsExceedLimit')
  const domains = z.array(DomainPattern).min(1, 'required').max(ofSiteMax, 'itemsExceedLimit')
  return z.array(z.strictObject({ domains, items })).max(ofSiteMax, 'itemsExceedLimit').default([])
}

/** A site with everything that is created with it. Each part is what its own call accepts. */
export const ImportedSite = z.strictObject({
  siteName: Name,
  domains: z
    .array(DomainInput.extend({ forceSSL: z.boolean().default(false) }))
    .min(1, 'required')
    .max(ofSiteMax, 'itemsExceedLimit'),
  basic: BasicSettings.optional(),
  originTimeouts: OriginTimeouts.optional(),
  compression: Compression.optional(),
  tls: tlsSettings.schema.optional(),
  cacheRules: rulesOf(cacheRules),
  bandwidthLimits: rulesOf(bandwidthLimits),
  allowRules: rulesOf(allowRules),
  denyRules: rulesOf(denyRules),
  urlRedirects: modulesOf(urlRedirects, redirectsPerSiteMax),
  proxyRewrites: modulesOf(proxyRewrites, proxyRewrites.max),
  customHeaders: modulesOf(customHeaders, customHeaders.max),
})
export type ImportedSite = z.output<typeof ImportedSite>

export const ImportDraft = z.object({
  sites: z.array(
    z.object({
      line: z.number().int().describe('Where it begins in the source.'),
      site: ImportedSite,
      notes: z.array(ImportNote),
    }),
  ),
  notes: z.array(ImportNote).describe('What belongs to no site.'),
  notesCut: z.number().int().describe('Notes beyond the most that are answered.'),
})
export type ImportDraft = z.output<typeof ImportDraft>

const SourceFile = z.file('wrongFormat').max(importBytesMax, 'fileTooLarge')

const ImportSource = z
  .strictObject({
    kind: wordOf(
      'ImportKind',
      'nginx is a configuration, best as `nginx -T` prints it; cloudflare an exported zone file; nginxProxyManager its SQLite database; csv a line a domain.',
      importKinds,
    ),
    file: SourceFile.optional().describe('10 MiB at the most.'),
    text: z.string().max(textCharsMax, 'charactersExceedLimit').optional().describe('In place of a file.'),
    rules: SourceFile.optional().describe('Of cloudflare: its page rules or redirect rules, as its API answers them.'),
  })
  .refine(({ file, text, rules }) => file !== undefined || (text ?? '') !== '' || rules !== undefined, {
    path: ['file'],
    message: 'required',
  })

/** The outcome of creating one site; `siteID` is 0 if it was refused and nothing of it was kept. */
const ImportOutcome = z.object({
  siteName: z.string(),
  siteID: z.number().int(),
  error: z
    .object({
      code: z.number().int(),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), reason: z.string(), max: z.number().optional() })),
      errors: z.array(z.object({ code: z.number().int(), message: z.string(), targets: z.array(z.string()) })),
    })
    .nullable(),
})
export type ImportOutcome = z.output<typeof ImportOutcome>

export const siteImport = {
  draft: endpoint('user.sites.import.draft', 'POST', '/user/sites/import/draft', {
    tiers: ['user'],
    can: 'sites.create',
    audit: false,
    form: { fileBytesMax: importBytesMax },
    body: ImportSource,
    reply: ImportDraft,
    beyond: true,
    summary:
      'Reads the settings of another program as a draft of sites, with every line that it leaves out. Makes nothing.',
  }),
  create: endpoint('user.sites.import', 'POST', '/user/sites/import', {
    tiers: ['user'],
    can: 'sites.create',
    audit: 'user.sites.import',
    body: z.strictObject({
      productID: Id.optional(),
      sites: z.array(ImportedSite).min(1, 'required').max(importSitesMax, 'itemsExceedLimit'),
    }),
    reply: z.object({ outcomes: z.array(ImportOutcome).describe('In the order of the sites.') }),
    beyond: true,
    summary:
      'Makes the sites of a draft, each with all that is said of it or not at all. One that is refused leaves the others standing.',
  }),
}
