/** Modules in a site's document: those that its domains are bound to, and the bindings. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import type { Part as EdgePart } from '@breakwater/contract/edge/parts.ts'
import { z } from 'zod'
import { gone } from '../http/fault.ts'
import type { SavedRule } from '../publish/document.ts'
import { anyOf } from '../publish/gather.ts'
import { bodyOf, type DomainPart, type SitePart } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import { boundSites } from './bindings.ts'
import { corsPart } from './cors.ts'
import { headersPart } from './custom-headers.ts'
import { aclPart, asksFor, needsAclActions, setsRequestHeaders } from './lua-acls.ts'
import { rewritesPart } from './proxy-rewrites.ts'
import { gatherModules, Modules } from './read-modules.ts'
import { changedModules, goesBack, restoreModules } from './restore-modules.ts'
import { tokenSecret, tokensPart } from './token-auths.ts'
import { redirectsPart } from './url-redirects.ts'
import { asksResponses, wafPart } from './waf.ts'
import { isWafOn } from './waf-on.ts'

/**
 * How each family is rendered for nodes: the part, from the enabled items or from the module's settings, and the
 * reference to it in a domain.
 */
type Family = {
  render(module: number, items: SavedRule[], said: Record<string, unknown>, out: Rendering): EdgePart
  refer(domain: ArtefactDomain, hash: string): void
  requires?: EdgeFeature
  /** Features that some of its items or settings require in addition. */
  requiresOf?(items: SavedRule[], said: Record<string, unknown>): readonly EdgeFeature[]
  /** Adds anything else that nodes need for it. */
  needs?(out: Rendering, said: Record<string, unknown>): void
  /** Whether the module does anything; absent if it always does. */
  isOn?(said: Record<string, unknown>): boolean
  /** The secret that nodes need for it. */
  secret?(module: number, said: Record<string, unknown>): string
}
/**
 * Nodes use the rule set of their zone; the one that a site refers to is the default, which they use if the zone chose
 * none.
 */
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
      ...(asksFor('asn', items) ? (['networks'] as const) : []),
      ...(asksFor('bot', items) ? (['aclBots'] as const) : []),
      ...(setsRequestHeaders(items) ? (['aclRequestHeaders'] as const) : []),
    ],
  },
  waf: {
    render: (module, rules, said, out) => wafPart(module, rules, said, ruleSetIn(out)),
    refer: (domain, hash) => {
      domain.waf = hash
    },
    requires: 'waf',
    requiresOf: (_items, said) => [
      ...(asksResponses(said) ? (['wafResponses'] as const) : []),
      ...(coreRuleSet().usesControls ? (['wafControls'] as const) : []),
    ],
    needs(out, said) {
      const { requests, responses } = ruleSetIn(out)
      out.keepWafRules(requests.bytes)
      if (responses && asksResponses(said)) out.keepWafResponses(responses.bytes)
    },
    isOn: isWafOn,
  },
}

/** Modules by id. */
export const modulesPart: SitePart<Modules> = {
  owner: 'site',
  name: 'modules',
  schema: Modules,
  gather: gatherModules,
  empty: {},
  isKeyed: true,
  isShared: true,
  items: (modules) => Object.entries(modules).map(([id, module]) => [`modules/${id}`, module]),
  rulesOf: (modules) => Object.values(modules).flatMap((module) => module.rules),
  shared: {
    goesBack,
    // In the lock order of module changes: modules, then sites.
    async lock(db, site, wanted) {
      const ids = (await changedModules(db, site.id, wanted)).map(([id]) => id)
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('modules')
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forUpdate()
        .execute()
      if (rows.length !== ids.length) throw gone()
      const sites = await Promise.all(ids.map((id) => boundSites(db, id)))
      return sites.flat()
    },
  },
  restore: restoreModules,
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

  // The domains were just rewritten, and are bound to nothing. Bindings to a deleted module are not restored.
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

/** Older documents stored the binding in the domain. */
const BoundBefore = z.object({
  domains: z.array(z.object({ id: z.number(), customHeaderModuleId: z.number().nullable() })),
})
