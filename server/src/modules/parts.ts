/** Modules in a site's document: those that its domains are bound to, and the bindings. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import type { Part as EdgePart } from '@breakwater/contract/edge/parts.ts'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { SavedRule } from '../publish/document.ts'
import { anyOf, grouped } from '../publish/gather.ts'
import { bodyOf, type DomainPart, type Gather, type SitePart } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import { SavedRules, savedRule } from '../rules/rule-list-part.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import { corsPart } from './cors.ts'
import { headersPart } from './custom-headers.ts'
import { aclPart, asksForBots, asksForNetworks, needsAclActions } from './lua-acls.ts'
import { rewritesPart } from './proxy-rewrites.ts'
import { tokenSecret, tokensPart } from './token-auths.ts'
import { redirectsPart } from './url-redirects.ts'
import { asksResponses, isWafOn, wafPart } from './waf.ts'

/** What nodes get of each family: the part, of the items that are enabled or of what the module says, and where a domain refers to it. */
type Family = {
  render(module: number, items: SavedRule[], said: Record<string, unknown>, out: Rendering): EdgePart
  refer(domain: ArtefactDomain, hash: string): void
  requires?: EdgeFeature
  /** What some of its items or settings require besides. */
  requiresOf?(items: SavedRule[], said: Record<string, unknown>): readonly EdgeFeature[]
  /** What else nodes need for it. */
  needs?(out: Rendering, said: Record<string, unknown>): void
  /** Whether it does anything; absent where it always does. */
  isOn?(said: Record<string, unknown>): boolean
  /** The secret that nodes need for it. */
  secret?(module: number, said: Record<string, unknown>): string
}
/** Nodes ask the rule set of their zone; what a site names is the default, which they ask where the zone chose none. */
const ruleSetIn = (out: Rendering) => out.ruleSet ?? coreRuleSet().objects

const families: Record<string, Family> = {
  customHeaders: { render: headersPart, refer: (domain, hash) => domain.customHeaders.push(hash) },
  urlRedirects: {
    render: redirectsPart,
    refer: (domain, hash) => {
      domain.urlRedirects = [hash]
    },
    requires: 'urlRedirects',
  },
  cors: {
    render: (module, _items, said) => corsPart(module, said),
    refer: (domain, hash) => {
      domain.cors = hash
    },
    requires: 'cors',
  },
  proxyRewrites: {
    render: rewritesPart,
    refer: (domain, hash) => {
      domain.proxyRewrites = hash
    },
    requires: 'proxyRewrites',
  },
  tokenAuths: {
    render: tokensPart,
    refer: (domain, hash) => {
      domain.tokenAuths = hash
    },
    requires: 'tokenAuths',
    secret: tokenSecret,
  },
  luaAcls: {
    render: aclPart,
    refer: (domain, hash) => {
      domain.luaAcls = hash
    },
    requires: 'luaAcls',
    requiresOf: (items) => [
      ...(needsAclActions(items) ? (['aclActions'] as const) : []),
      ...(asksForBots(items) ? (['aclBot'] as const) : []),
      ...(asksForNetworks(items) ? (['networks'] as const) : []),
    ],
  },
  waf: {
    render: (module, rules, said, out) => wafPart(module, rules, said, ruleSetIn(out)),
    refer: (domain, hash) => {
      domain.waf = hash
    },
    requires: 'waf',
    requiresOf: (_items, said) => (asksResponses(said) ? ['wafResponses'] : []),
    needs(out, said) {
      const { requests, responses } = ruleSetIn(out)
      out.keepWafRules(requests.bytes)
      if (responses && asksResponses(said)) out.keepWafResponses(responses.bytes)
    },
    isOn: isWafOn,
  },
}

const Module = z.object({
  name: z.string(),
  kind: z.string(),
  rules: SavedRules,
  /** Of a module that holds settings: what it says. */
  body: z.record(z.string(), z.unknown()).optional(),
})
type Module = z.output<typeof Module>

const gatherModules: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('domainModules')
    .innerJoin('domains', 'domains.id', 'domainModules.domainId')
    .select(['domains.siteId', 'domainModules.domainId', 'domainModules.kind', 'domainModules.moduleId'])
    .where('domains.siteId', '=', anyOf(siteIds))
    .orderBy('domainModules.domainId')
    .orderBy('domainModules.kind')
    .execute()
  const modules = await readModules(db, [...new Set(rows.map((row) => row.moduleId))])
  const bySite = grouped(rows, ({ siteId, ...bound }) => [siteId, bound])
  return new Map(
    [...bySite].map(([site, bound]) => {
      const bindings: Record<number, Record<string, number>> = {}
      for (const { domainId, kind, moduleId } of bound) bindings[domainId] = { ...bindings[domainId], [kind]: moduleId }
      const own = Object.fromEntries(bound.map(({ moduleId }) => [moduleId, modules.get(moduleId)!]))
      return [site, { modules: own, moduleBindings: bindings }]
    }),
  )
}

async function readModules(db: Database, ids: number[]): Promise<Map<number, Module>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('modules')
    .select(['id', 'name', 'kind', 'body'])
    .where('id', '=', anyOf(ids))
    .execute()
  const rules = await db
    .selectFrom('rules')
    .selectAll()
    .where('moduleId', '=', anyOf(ids))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const byModule = grouped(rules, (row) => [row.moduleId!, savedRule(row)])
  return new Map(
    rows.map(({ id, name, kind, body }) => [
      id,
      { name, kind, rules: byModule.get(id) ?? [], ...(Object.keys(body).length > 0 && { body }) },
    ]),
  )
}

/** Modules by id. */
export const modulesPart: SitePart<Record<string, Module>> = {
  owner: 'site',
  name: 'modules',
  schema: z.record(z.string(), Module),
  gather: gatherModules,
  empty: {},
  isKeyed: true,
  isShared: true,
  items: (modules) => Object.entries(modules).map(([id, module]) => [`modules/${id}`, module]),
  rulesOf: (modules) => Object.values(modules).flatMap((module) => module.rules),
  // A module acts on other sites too: it stays as it is.
  async restore() {},
  requires: (modules) =>
    Object.values(modules).flatMap(({ kind, rules, body = {} }) => {
      const { requires = [], requiresOf } = families[kind] ?? {}
      return [
        requires,
        requiresOf?.(
          rules.filter(({ enabled }) => enabled),
          body,
        ) ?? [],
      ].flat()
    }),
}

/** Which module of each kind a domain is bound to. */
export const moduleBindingsPart: DomainPart<Record<string, number>> = {
  owner: 'domain',
  name: 'moduleBindings',
  schema: z.record(z.string(), z.number()),
  gather: gatherModules,
  items: (bound) => [['modules', bound]],

  lift(stored) {
    const before = BoundBefore.safeParse(stored.domains)
    const bound = before.data?.domains.filter(({ customHeaderModuleId }) => customHeaderModuleId !== null) ?? []
    if (bound.length === 0) return undefined
    return Object.fromEntries(bound.map(({ id, customHeaderModuleId: module }) => [id, { customHeaders: module! }]))
  },

  // The domains were just written anew, and are bound to nothing. A module that is gone stays away.
  async restore(db, site, bodies) {
    const ids = [...new Set([...bodies.values()].flatMap((bound) => Object.values(bound)))]
    if (ids.length === 0) return
    const modules = await db.selectFrom('modules').select('id').where('id', '=', anyOf(ids)).execute()
    const living = new Set(modules.map(({ id }) => id))
    const rows = [...bodies].flatMap(([domainId, bound]) =>
      Object.entries(bound)
        .filter(([, moduleId]) => living.has(moduleId))
        .map(([kind, moduleId]) => ({ domainId, kind, moduleId, tenantId: site.tenantId })),
    )
    if (rows.length > 0) await db.insertInto('domainModules').values(rows).execute()
  },

  render(bound, domain, out) {
    for (const [kind, id] of Object.entries(bound)) {
      const [family, module] = [families[kind], bodyOf(out.document, modulesPart)[id]]
      if (!family || !module || family.isOn?.(module.body ?? {}) === false) continue
      family.needs?.(out, module.body ?? {})
      if (family.secret && module.body) out.needSecret(family.secret(id, module.body))
      const enabled = () => module.rules.filter((rule) => rule.enabled)
      family.refer(
        domain,
        out.keepShared(module, () => family.render(id, enabled(), module.body ?? {}, out)),
      )
    }
  },
}

/** Documents of before said the binding with the domain. */
const BoundBefore = z.object({
  domains: z.array(z.object({ id: z.number(), customHeaderModuleId: z.number().nullable() })),
})
