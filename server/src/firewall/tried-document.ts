/** A site's document with a rule put in that nobody has saved: what the site would be with it. */
import { loggedHeaders } from '@breakwater/contract/firewall/backtest.ts'
import type { DomainKind } from '@breakwater/contract/firewall/kinds.ts'
import { domainRuleLists, ruleLists } from '@breakwater/contract/index.ts'
import { plainAction } from '@breakwater/contract/modules/acl/actions.ts'
import { isAclLogged, type LuaAcl } from '@breakwater/contract/modules/lua-acls.ts'
import { fieldFault, gone } from '../http/fault.ts'
import type { SavedRule, SiteDocument } from '../publish/document.ts'

/** A rule with its own fields, and those of all rules. */
type Tried = { memo?: string; priority?: number; [field: string]: unknown }

/** Greater than any id that is given, as the next one will be. */
const nextId = 2 ** 31 - 1

/**
 * Puts the rule at the place that it would be saved at: of the same priority the greatest id is asked last. It is enabled
 * and enforced whatever it says, for that is the question. Rules that have ended by `now` are left out: they will not be
 * asked again, and so are those that look at headers which are not logged. `alone` is the site with no other rule: what
 * the rule speaks of, whoever decides before it. Throws where `id` names no rule of that kind, of that site or domain.
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

/** The site without any rule of the firewall. */
const noLists = Object.fromEntries([
  ...Object.keys(ruleLists).map((name) => [name, { rules: [] }] as const),
  ...Object.keys(domainRuleLists).map((name) => [name, {}] as const),
])

/**
 * The same with a rule of an ACL module. Rules of the module that ask about what is not logged are left out. One that
 * sets headers or leaves guards out is tried as one that lets pass: what counts is whom it means.
 */
export function withAclRule(
  document: SiteDocument,
  { moduleId, rule }: { moduleId: number; rule: LuaAcl },
  id: number | undefined,
  now: Date,
): { document: SiteDocument; alone: SiteDocument; guard: 'luaAcls'; id: number; letsPass: boolean } {
  const modules = (document.modules ?? {}) as Record<string, { kind: string; rules: SavedRule[] }>
  const module = modules[moduleId]
  // What no domain of the site is bound to is not in its document.
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

/** A rule about a header that the log has not would be asked about a request without it. */
const looksAtLogged = ({ body }: SavedRule): boolean =>
  !('header' in body) || loggedHeaders.includes(String(body.header).toLowerCase())

/** The rules of each domain that are kept. */
const ofEach = (bodies: object | undefined, keep: (rule: SavedRule) => boolean): object =>
  Object.fromEntries(
    Object.entries((bodies ?? {}) as Record<string, { rules: SavedRule[] }>).map(([domain, { rules }]) => [
      domain,
      { rules: rules.filter(keep) },
    ]),
  )
