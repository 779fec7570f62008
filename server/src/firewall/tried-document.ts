/** A site's document with an unsaved rule inserted: what the site would be with it. */
import { loggedHeaders } from '@breakwater/contract/firewall/backtest.ts'
import type { DomainKind } from '@breakwater/contract/firewall/kinds.ts'
import { domainRuleLists, ruleLists } from '@breakwater/contract/index.ts'
import { plainAction } from '@breakwater/contract/modules/acl/actions.ts'
import { isAclLogged, type LuaAcl } from '@breakwater/contract/modules/lua-acls.ts'
import { fieldFault, gone } from '../http/fault.ts'
import type { SavedRule, SiteDocument } from '../publish/document.ts'

/** A rule with its own fields and those that all rules have. */
type Tried = { memo?: string; priority?: number; [field: string]: unknown }

/** Greater than any assigned id, as the id of the saved rule would be. */
const nextId = 2 ** 31 - 1

/**
 * Inserts the rule where it would be saved: among rules of the same priority, the greatest id comes last. It is always
 * enabled and enforced, since that is the question. Rules that have expired by `now` are left out, as they will not run
 * again, and so are rules for headers that are not logged. `alone` is the site without any other rule, which shows what
 * the rule matches regardless of what other rules decide first. Throws if `id` is not a rule of that kind in that site
 * or domain.
 */
export function withRule<K extends keyof typeof ruleLists | DomainKind>(
  document: SiteDocument,
  { kind, rule, domainId }: { kind: K; rule: Tried; domainId?: number | undefined },
  id: number | undefined,
  now: Date,
): { document: SiteDocument; alone: SiteDocument; guard: K; id: number } {
  const before = domainId === undefined ? rulesOf(document, kind) : rulesOfDomain(document, kind, domainId)
  if (id !== undefined && !before.some((one) => one.id === id)) throw gone()
  const { enabled: _, mode: __, memo, expiresAt: ___, ...body } = rule
  const tried: SavedRule = {
    id: id ?? nextId,
    sort: typeof body.priority === 'number' ? body.priority : 0,
    enabled: true,
    mode: 'enforce',
    body,
    bodyVersion: 1,
    memo: memo ?? '',
    createdBy: '',
    expiresAt: null,
    createdAt: now.toISOString(),
  }
  const present = (one: SavedRule) => (one.expiresAt === null || new Date(one.expiresAt) > now) && looksAtLogged(one)
  const lists = Object.keys(ruleLists).map(
    (name) => [name, { rules: rulesOf(document, name).filter(present) }] as const,
  )
  const ofDomains = Object.keys(domainRuleLists).map((name) => [name, ofEach(document[name], present)] as const)
  const rules = [...before.filter((one) => one.id !== id && present(one)), tried].sort(
    (a, b) => a.sort - b.sort || a.id - b.id,
  )
  const kept: SiteDocument = { ...document, ...Object.fromEntries([...lists, ...ofDomains]) }
  const having = (of: SiteDocument, these: SavedRule[]): SiteDocument => ({
    ...of,
    [kind]: domainId === undefined ? { rules: these } : { ...of[kind], [domainId]: { rules: these } },
  })
  return {
    document: having(kept, rules),
    alone: having({ ...document, ...noLists }, [tried]),
    guard: kind,
    id: tried.id,
  }
}

/** The site without any firewall rule. */
const noLists = Object.fromEntries([
  ...Object.keys(ruleLists).map((name) => [name, { rules: [] }] as const),
  ...Object.keys(domainRuleLists).map((name) => [name, {}] as const),
])

/**
 * The same for a rule of an ACL module. Rules of the module that check fields that are not logged are left out. A rule
 * that sets headers or skips guards is tried as one that lets pass: what counts is which requests it matches.
 */
export function withAclRule(
  document: SiteDocument,
  { moduleId, rule }: { moduleId: number; rule: LuaAcl },
  id: number | undefined,
  now: Date,
): { document: SiteDocument; alone: SiteDocument; guard: 'luaAcls'; id: number; letsPass: boolean } {
  const modules = (document.modules ?? {}) as Record<string, { kind: string; rules: SavedRule[] }>
  const module = modules[moduleId]
  // A module that no domain of the site is bound to is not in its document.
  if (module?.kind !== 'luaAcls') throw fieldFault('rule', 'moduleNotBound')
  if (id !== undefined && !module.rules.some((one) => one.id === id)) throw gone()
  const letsPass = ['allow', 'header', 'skip'].includes(rule.action)
  const { enabled: _, mode: __, expiresAt: ___, memo: ____, ...own } = rule
  const body = { ...own, ...(letsPass && { ...plainAction, action: 'allow' }), mode: 'enforce' }
  const tried: SavedRule = {
    ...{ id: id ?? nextId, sort: rule.priority, enabled: true, mode: 'enforce', body, bodyVersion: 1 },
    ...{ memo: '', createdBy: '', expiresAt: null, createdAt: now.toISOString() },
  }
  const others = module.rules.filter((one) => one.id !== id && isAclLogged((one.body as LuaAcl).conditions))
  const rules = [...others, tried].sort((a, b) => a.sort - b.sort || a.id - b.id)
  const having = (these: SavedRule[]) => ({ ...modules, [moduleId]: { ...module, rules: these } })
  return {
    document: { ...document, modules: having(rules) },
    alone: { ...document, ...noLists, modules: having([tried]) },
    ...{ guard: 'luaAcls', id: tried.id, letsPass },
  }
}

const rulesOf = (document: SiteDocument, kind: string): SavedRule[] =>
  (document[kind] as { rules: SavedRule[] } | undefined)?.rules ?? []

const rulesOfDomain = (document: SiteDocument, kind: string, domainId: number): SavedRule[] =>
  (document[kind] as Record<number, { rules: SavedRule[] }> | undefined)?.[domainId]?.rules ?? []

/** A rule for a header that is not logged would see requests without it. */
const looksAtLogged = ({ body }: SavedRule): boolean =>
  !('header' in body) || loggedHeaders.includes(String(body.header).toLowerCase())

/** Filters the rules of each domain. */
const ofEach = (bodies: object | undefined, keep: (rule: SavedRule) => boolean): object =>
  Object.fromEntries(
    Object.entries((bodies ?? {}) as Record<string, { rules: SavedRule[] }>).map(([domain, { rules }]) => [
      domain,
      { rules: rules.filter(keep) },
    ]),
  )
