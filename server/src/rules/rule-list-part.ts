/** One kind of rule as a part of a site's document: for the site, or for each of its domains. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import type { EdgeFeature } from '@breakwater/contract/edge/features.ts'
import { inlineIpsMax } from '@breakwater/contract/edge/ip-set.ts'
import type { RuleList } from '@breakwater/contract/rule-list.ts'
import { z } from 'zod'
import { parse } from '../http/parse.ts'
import type { SavedRule } from '../publish/document.ts'
import { anyOf } from '../publish/gather.ts'
import type { DomainPart, Gather, Long, SitePart } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import type { PublishedOwner } from './owners.ts'
import type { RuleCheck } from './rule-check.ts'

export const SavedRules = z.array(
  z.object({
    id: z.number(),
    sort: z.number(),
    enabled: z.boolean(),
    mode: z.enum(['enforce', 'observe']),
    body: z.record(z.string(), z.unknown()),
    bodyVersion: z.number(),
    memo: z.string(),
    createdBy: z.string(),
    expiresAt: z.string().nullable(),
    createdAt: z.string(),
  }),
)

type Body = { rules: SavedRule[] }
type RuleRow = Pick<SavedRule, Exclude<keyof SavedRule, 'expiresAt' | 'createdAt'>> & {
  expiresAt: Date | null
  createdAt: Date
}

/** Exactly the columns that a document holds of a rule: a migration may add columns while this runs. */
export const savedRuleColumns = [
  ...(['rules.id', 'rules.sort', 'rules.enabled', 'rules.mode', 'rules.body', 'rules.bodyVersion'] as const),
  ...(['rules.memo', 'rules.createdBy', 'rules.expiresAt', 'rules.createdAt'] as const),
] as const

export const savedRule = (row: RuleRow): SavedRule => ({
  id: row.id,
  sort: row.sort,
  enabled: row.enabled,
  mode: row.mode,
  body: row.body,
  bodyVersion: row.bodyVersion,
  memo: row.memo,
  createdBy: row.createdBy,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** The rules of sites, of every kind, in one statement. */
const gatherRules: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('rules')
    .select(savedRuleColumns)
    .select(['siteId', 'kind'])
    .where('siteId', '=', anyOf(siteIds))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const bySite = new Map<number, Record<string, Body>>()
  for (const row of rows) {
    const kinds = bySite.get(row.siteId!) ?? {}
    bySite.set(row.siteId!, kinds)
    kinds[row.kind] ??= { rules: [] }
    kinds[row.kind]!.rules.push(savedRule(row))
  }
  return bySite
}

type Stored = { rules: (SavedRule & { body: { ipsPart?: unknown } })[] }
const isLong = ({ body }: SavedRule) => Array.isArray(body.ips) && body.ips.length > inlineIpsMax
const partOf = ({ body }: SavedRule) => (typeof body.ipsPart === 'string' ? body.ipsPart : undefined)

/** Long lists of addresses. */
const longLists: Long<Body> = {
  split: ({ rules }, keep) => ({
    rules: rules.map((rule) =>
      isLong(rule) ? { ...rule, body: { ...rule.body, ips: undefined, ipsPart: keep({ ips: rule.body.ips }) } } : rule,
    ),
  }),
  hashesOf: (stored) => (stored as Stored).rules.flatMap((rule) => partOf(rule) ?? []),
  join: (stored, read) => ({
    rules: (stored as Stored).rules.map((rule) => {
      const hash = partOf(rule)
      if (hash === undefined) return rule
      const { ipsPart: _, ...body } = rule.body
      return { ...rule, body: { ...body, ips: (read(hash) as { ips: string[] }).ips } }
    }),
  }),
}

/** The rules of sites' domains, of every kind, in one statement. */
const gatherDomainRules: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('rules')
    .innerJoin('domains', 'domains.id', 'rules.domainId')
    .select(savedRuleColumns)
    .select(['rules.kind', 'rules.domainId', 'domains.siteId as ofSite'])
    .where('domains.siteId', '=', anyOf(siteIds))
    .orderBy('rules.sort')
    .orderBy('rules.id')
    .execute()
  const bySite = new Map<number, Record<string, Record<number, Body>>>()
  for (const { ofSite, ...row } of rows) {
    const kinds = bySite.get(ofSite) ?? {}
    bySite.set(ofSite, kinds)
    kinds[row.kind] ??= {}
    const ofDomains = kinds[row.kind]!
    ofDomains[row.domainId!] ??= { rules: [] }
    ofDomains[row.domainId!]!.rules.push(savedRule(row))
  }
  return bySite
}

/** The rows that a restore writes, after the same checks as saving them. */
function rowsOf<I extends z.ZodObject, O extends PublishedOwner>(
  list: RuleList<I, O>,
  tenantId: number,
  owner: { siteId: number } | { domainId: number },
  rules: SavedRule[],
) {
  return rules.map((rule) => {
    const { enabled, mode, memo, expiresAt } = rule
    const item = parse(list.item, { ...rule.body, enabled, mode, memo, expiresAt }, list.kind)
    return {
      ...rule,
      ...owner,
      kind: list.kind,
      tenantId,
      body: JSON.stringify(rule.body),
      uniqueKey: list.uniqueKey?.(item as z.output<I>) ?? null,
    }
  })
}

const enabledOf = ({ rules }: Body) => rules.filter((rule) => rule.enabled)

/** A rule that only observes protects nothing, so it requires nothing. */
const requiredBy = (body: Body, feature: EdgeFeature | undefined): EdgeFeature[] =>
  feature && enabledOf(body).some(({ mode }) => mode === 'enforce') ? [feature] : []

/**
 * A kind of rule that sites own. `render` gets the enabled rules, in evaluation order; `requires` is the feature that a
 * node needs for them; `check` checks rules before they are restored.
 */
export function ruleListPart<I extends z.ZodObject>(
  list: RuleList<I>,
  render: (rules: SavedRule[], out: Rendering) => void,
  requires?: EdgeFeature,
  check?: RuleCheck,
): SitePart<Body> {
  const { kind } = list
  return {
    owner: 'site',
    name: kind,
    schema: z.object({ rules: SavedRules }),
    gather: gatherRules,
    empty: { rules: [] },
    long: longLists,
    items: ({ rules }) => rules.map((rule) => [`${kind}/${rule.id}`, rule]),
    rulesOf: ({ rules }) => rules,

    async restore(db, site, { rules }) {
      await check?.(
        db,
        site,
        rules.map(({ body }) => body),
      )
      await db.deleteFrom('rules').where('siteId', '=', site.id).where('kind', '=', kind).execute()
      const rows = rowsOf(list, site.tenantId, { siteId: site.id }, rules)
      if (rows.length > 0) await db.insertInto('rules').values(rows).execute()
    },

    render: (body, out) => render(enabledOf(body), out),
    requires: (body) => requiredBy(body, requires),
  }
}

/** A kind of rule that domains own. `render` gets a domain's rules, and the domain in the form for nodes. */
export function domainRuleListPart<I extends z.ZodObject>(
  list: RuleList<I, 'domain'>,
  render: (rules: SavedRule[], domain: ArtefactDomain, out: Rendering) => void,
  requires?: EdgeFeature,
): DomainPart<Body> {
  const { kind } = list
  return {
    owner: 'domain',
    name: kind,
    schema: z.object({ rules: SavedRules }),
    gather: gatherDomainRules,
    items: ({ rules }) => rules.map((rule) => [`${kind}/${rule.id}`, rule]),
    rulesOf: ({ rules }) => rules,

    // The domains were just rewritten, and have no rules.
    async restore(db, site, bodies) {
      const rows = [...bodies].flatMap(([domainId, { rules }]) => rowsOf(list, site.tenantId, { domainId }, rules))
      if (rows.length > 0) await db.insertInto('rules').values(rows).execute()
    },

    render: (body, domain, out) => render(enabledOf(body), domain, out),
    requires: (body) => requiredBy(body, requires),
  }
}
