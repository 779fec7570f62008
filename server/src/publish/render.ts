/** What a node gets of a site: a pure function from its document to an artefact, the parts it points to, and its hosts. */

import { type CacheRule, fileTypes } from '@breakwater/contract/delivery/cache-rules.ts'
import { balances } from '@breakwater/contract/domains/domains.ts'
import type {
  Artefact,
  ArtefactDomain,
  CachePart,
  CustomHeadersPart,
  EdgeBodyRule,
  EdgeCacheRule,
  EdgeIpRule,
  EdgeRateRule,
  FirewallPart,
  SettingsPart,
} from '@breakwater/contract/edge/artefact.ts'
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { encodeIpSet, inlineIpsMax } from '@breakwater/contract/edge/ip-set.ts'
import { legacyBlockTypes, methods } from '@breakwater/contract/fields.ts'
import type { BodyRule } from '@breakwater/contract/firewall/body-rules.ts'
import type { IpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import type { RateRule } from '@breakwater/contract/firewall/rate-rules.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import type { SavedDomain, SavedRule, SiteDocument } from './document.ts'

export type Rendered = {
  artefact: { hash: string; bytes: Buffer }
  /** Parts and lists by hash; the artefact itself not among them. */
  objects: Map<string, Buffer>
  hosts: string[]
}

const connectTimeoutMs = 5_000
const readTimeoutMs = 60_000

/** The host under which a site answers before its DNS points here. */
export const previewHost = (label: string): string => `${label}.localhost`

/**
 * What a customer's DNS points at: the site's label in its group's, so that moving a site or losing a node never touches
 * a customer's record. Empty where the operator has no DNS zone for its edge: then an address is all there is to point at.
 */
export const cnameOf = (edgeDomain: string, siteLabel: string, groupLabel: string | undefined): string =>
  edgeDomain === '' || groupLabel === undefined ? '' : `${siteLabel}.${groupLabel}.${edgeDomain}`

/**
 * Renders a revision of a site. `allowOrigins` are the operator's exceptions for private networks; `known` are the parts of
 * modules that documents gathered together have in common.
 */
export function renderArtefact(
  document: SiteDocument,
  revision: number,
  allowOrigins: string[],
  known: Map<object, Buffer> = new Map(),
): Rendered {
  const objects = new Map<string, Buffer>()
  const keep = (bytes: Buffer): string => {
    const hash = sha256(bytes).toString('hex')
    objects.set(hash, bytes)
    return hash
  }
  const keepPart = (part: SettingsPart | FirewallPart | CachePart) => keep(bytesOfPart(part))
  const lists: string[] = []
  const keepList = (ips: string[]) => {
    const hash = keep(Buffer.from(encodeIpSet(ips)))
    lists.push(hash)
    return hash
  }

  const { originCredential } = document.settings
  const modules = new Map(
    Object.entries(document.modules).map(([id, module]) => {
      const bytes = known.get(module) ?? bytesOfPart(headersPart(Number(id), module.rules))
      known.set(module, bytes)
      return [Number(id), keep(bytes)]
    }),
  )
  const domains = artefactDomains(document, modules)
  const artefact: Artefact = {
    schema: schemaCurrent,
    site: document.site.id,
    revision,
    domains,
    parts: {
      settings: keepPart({
        kind: 'settings',
        ...(originCredential ? { originCredentialHeader: originCredential.header } : {}),
        bodyBytesMax: 0,
        originConnectTimeoutMs: connectTimeoutMs,
        originReadTimeoutMs: readTimeoutMs,
        trustedProxies: [],
      }),
      firewall: keepPart({
        kind: 'firewall',
        allowRules: active(document, 'allowRules').map((rule) => ipRule(rule, keepList)),
        denyRules: active(document, 'denyRules').map((rule) => ipRule(rule, keepList)),
        rateRules: active(document, 'rateRules').map(rateRule),
        bodyRules: active(document, 'bodyRules').map(bodyRule),
      }),
      cache: keepPart({ kind: 'cache', rules: active(document, 'cacheRules').map(cacheRule) }),
    },
    lists: [...new Set(lists)].sort(),
    secrets: originCredential ? { originCredential: `originCredential@${originCredential.version}` } : {},
    allowOrigins,
  }
  const bytes = Buffer.from(canonicalJson(artefact))
  return {
    artefact: { hash: sha256(bytes).toString('hex'), bytes },
    objects,
    hosts: domains.map((domain) => domain.name),
  }
}

const bytesOfPart = (part: SettingsPart | FirewallPart | CachePart | CustomHeadersPart): Buffer =>
  Buffer.from(canonicalJson(part))

const active = (document: SiteDocument, kind: string): SavedRule[] =>
  (document.rules[kind] ?? []).filter((rule) => rule.enabled)

const common = (rule: SavedRule) => ({
  id: rule.id,
  mode: rule.mode,
  ...(rule.expiresAt ? { expiresAt: Math.floor(Date.parse(rule.expiresAt) / 1000) } : {}),
})

function ipRule(rule: SavedRule, keepList: (ips: string[]) => string): EdgeIpRule {
  const { urlRegex, methodValues, ips } = rule.body as IpRule
  const all = methodValues.length === methods.length
  return {
    ...common(rule),
    urlRegex,
    methods: all ? [] : methodValues,
    ...(ips.length > inlineIpsMax ? { list: keepList(ips) } : { ips }),
  }
}

function rateRule(rule: SavedRule): EdgeRateRule {
  const { urlRegex, rate, burst, blockType } = rule.body as RateRule
  return { ...common(rule), urlRegex, rate, burst, blockType: legacyBlockTypes[blockType] ?? blockType }
}

function bodyRule(rule: SavedRule): EdgeBodyRule {
  const { urlRegex, methodValues, contains, oversize } = rule.body as BodyRule
  return { ...common(rule), urlRegex, methods: methodValues, contains, oversize }
}

function cacheRule(rule: SavedRule): EdgeCacheRule {
  const { type, values, ttl, ignoreQuery } = rule.body as CacheRule
  const extensions =
    type === 'extension'
      ? values.map((value) => value.replace(/^\./, '').toLowerCase())
      : type === 'path'
        ? []
        : [...fileTypes[type]]
  return { id: rule.id, prefixes: type === 'path' ? values : [], extensions, ttl, ignoreQuery }
}

function headersPart(module: number, rules: SavedRule[]): CustomHeadersPart {
  const headers = rules
    .filter((rule) => rule.enabled)
    .map((rule) => ({ id: rule.id, ...(rule.body as { type: 'response' | 'request'; key: string; value: string }) }))
  return {
    kind: 'customHeaders',
    module,
    headers: headers.map(({ id, type, key, value }) => ({ id, type, key, value })),
  }
}

const balanceNames = Object.fromEntries(
  Object.entries(balances).map(([name, value]) => [value, name as keyof typeof balances]),
)

/** Enabled domains whose owner is proven, and the preview host, which stands for the first enabled domain of all. */
function artefactDomains(document: SiteDocument, modules: Map<number, string>): ArtefactDomain[] {
  const enabled = document.domains.filter((domain) => domain.status === 1)
  const served = enabled
    .filter((domain) => domain.ownership !== 'pending')
    .map((domain) => artefactDomain(domain, modules))
  const first = enabled[0]
  if (!first) return served
  const bare = first.name.replace(/^\*\./, '')
  return [...served, { ...artefactDomain(first, modules), name: previewHost(document.site.label), originHost: bare }]
}

function artefactDomain(domain: SavedDomain, modules: Map<number, string>): ArtefactDomain {
  const module = domain.customHeaderModuleId === null ? undefined : modules.get(domain.customHeaderModuleId)
  return {
    id: domain.id,
    name: domain.name,
    origins: domain.upstreams
      .filter((upstream) => upstream.enabled)
      .map(({ id, ip, port, weight, backup, tls }) => ({ id, host: ip, port, weight, backup, tls })),
    balance: balanceNames[domain.balance] ?? 'roundRobin',
    customHeaders: module ? [module] : [],
  }
}
