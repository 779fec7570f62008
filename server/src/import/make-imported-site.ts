/**
 * Creates a site with everything in its draft, through the handlers of the ordinary calls: what they reject is rejected
 * here at its field, and callers without the permission for one of them cannot import it. One transaction, and one
 * revision after that of the empty site.
 */

import { tlsSettings } from '@breakwater/contract/certificates/tls-settings.ts'
import { bandwidthLimits } from '@breakwater/contract/delivery/bandwidth-limits.ts'
import { basicSettings } from '@breakwater/contract/delivery/basic-settings.ts'
import { cacheRules } from '@breakwater/contract/delivery/cache-rules.ts'
import { compression } from '@breakwater/contract/delivery/compression.ts'
import { originTimeouts } from '@breakwater/contract/delivery/origin-timeouts.ts'
import { domainTls } from '@breakwater/contract/domains/domain-tls.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import type { AnyEndpoint, Parsed, Reply } from '@breakwater/contract/endpoint.ts'
import type { FieldIssue } from '@breakwater/contract/errors.ts'
import { allowRules, denyRules } from '@breakwater/contract/firewall/ip-rules.ts'
import type { ImportedSite } from '@breakwater/contract/import/site-import.ts'
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import type { ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { proxyRewrites } from '@breakwater/contract/modules/proxy-rewrites.ts'
import { urlRedirects } from '@breakwater/contract/modules/url-redirects.ts'
import type { RuleList } from '@breakwater/contract/rule-list.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { Fault } from '../http/fault.ts'
import type { AuditNote, Call, Route } from '../http/implement.ts'
import { parse } from '../http/parse.ts'
import { changeSite } from '../publish/change-site.ts'
import type { Publisher } from '../publish/publisher.ts'

/** Items per call for a module. */
const itemsPerCall = 50

const settings = { basic: basicSettings, originTimeouts, compression, tls: tlsSettings }
// Timeouts first: the basic settings include the one for the first byte, too.
const settingsOrder = ['originTimeouts', 'basic', 'compression', 'tls'] as const
const lists = { cacheRules, bandwidthLimits, allowRules, denyRules }
const families = { urlRedirects, proxyRewrites, customHeaders }

/** The caller, in the transaction of that one site. */
export type Asking = Omit<Call<AnyEndpoint>, 'body' | 'query'>
export type Handlers = ReadonlyMap<AnyEndpoint, Route['handle']>

/** Returns the new site's id. Throws what an ordinary call throws, at the field of the imported site. */
export async function makeImportedSite(
  asking: Asking,
  handlers: Handlers,
  publisher: Publisher,
  site: ImportedSite,
  productID: number | undefined,
): Promise<number> {
  const within = { ...asking, within: true }

  /** Runs an ordinary call for the site. `fieldOf` maps its fields to those of the imported site. */
  async function run<E extends AnyEndpoint>(
    endpoint: E,
    given: Omit<Parsed<E>, 'tier' | 'query'>,
    fieldOf: (field: string) => string,
  ): Promise<Reply<E>> {
    if (!asking.caller.permissions.has(endpoint.can as never)) throw new Fault('permissionDenied')
    try {
      const { body, ...params } = given as unknown as { body: unknown }
      const audit: AuditNote = { action: endpoint.audit }
      const call = {
        ...within,
        tier: 'user',
        ...params,
        body: endpoint.body && parse(endpoint.body, body, 'body'),
        audit,
      }
      return (await (handlers.get(endpoint)! as (call: object) => Promise<unknown>)(call)) as Reply<E>
    } catch (error) {
      throw error instanceof Fault ? moved(error, fieldOf) : error
    }
  }

  const { siteID: siteId } = await run(
    sites.create,
    { body: { siteName: site.siteName, tags: [], ...(productID !== undefined && { productID }) } },
    (field) => field,
  )
  const { audit } = asking
  await changeSite({ ...asking, audit }, siteId, publisher, { summary: summaryOf(site) }, async () => {
    const names = site.domains.map(({ name }) => name)
    const made = await run(
      domains.create,
      { siteId, body: { domains: site.domains.map(({ forceSSL: _, ...domain }) => domain) } },
      (field) => field,
    )
    const idOf = new Map(names.map((name, index) => [name, made.ids[index]!]))
    const forced = site.domains.flatMap(({ forceSSL }, index) => (forceSSL ? [made.ids[index]!] : []))
    if (forced.length > 0)
      await run(domainTls.forceSSL, { siteId, body: { ids: forced, forceSSL: true } }, () => 'domains')

    for (const name of settingsOrder) {
      const body = site[name]
      const { update } = settings[name].calls as (typeof originTimeouts)['calls']
      if (body) await run(update, { siteId, body: body as never }, (field) => `${name}.${field}`)
    }
    for (const [name, list] of Object.entries(lists) as [keyof typeof lists, RuleList][]) {
      for (const [index, rule] of site[name].entries())
        await run(list.calls.create, { siteId, body: rule }, (field) => `${name}.${index}.${field}`)
    }
    for (const [name, family] of Object.entries(families) as [keyof typeof families, ModuleFamily][]) {
      for (const [index, module] of site[name].entries()) await addModule(name, family, index, module, idOf)
    }
  })
  return siteId

  async function addModule(
    name: keyof typeof families,
    { calls }: ModuleFamily,
    index: number,
    module: { domains: string[]; items: object[] },
    idOf: ReadonlyMap<string, number>,
  ): Promise<void> {
    const at = `${name}.${index}`
    const domainIDs = module.domains.flatMap((domain, position) => {
      const id = idOf.get(domain)
      if (id === undefined)
        throw new Fault('parameterError', [{ field: `${at}.domains.${position}`, reason: 'unknownDomain' }])
      return [id]
    })
    const numbered = site[name].length > 1 ? ` ${index + 1}` : ''
    const modules = [{ name: `${site.siteName}${numbered}`.slice(0, 256), memo: '' }]
    const { ids } = await run(calls.create, { siteId, body: { modules } }, () => 'siteName')
    const moduleId = ids[0]!
    for (let from = 0; from < module.items.length; from += itemsPerCall) {
      const items = module.items.slice(from, from + itemsPerCall) as never[]
      await run(calls.addItems, { siteId, moduleId, body: { items } }, (field) => {
        const [, place, rest = ''] = /^items\.(\d+)(.*)$/.exec(field) ?? []
        return place === undefined ? `${at}.items` : `${at}.items.${from + Number(place)}${rest}`
      })
    }
    await run(calls.bind, { siteId, body: { domainIDs, moduleID: moduleId } }, () => at)
  }
}

const summaryOf = ({ domains }: ImportedSite): string =>
  domains
    .map(({ name }) => name)
    .join(' ')
    .slice(0, 200)

/** The same fault at another field. */
function moved(fault: Fault, fieldOf: (field: string) => string): Fault {
  if (!Array.isArray(fault.extra)) return fault
  const extra = fault.extra.map((issue: FieldIssue) =>
    typeof issue?.field === 'string' ? { ...issue, field: fieldOf(issue.field) } : issue,
  )
  return Object.assign(fault, { extra })
}
