/** A site's document with a rule put in that nobody has saved: what the site would be with it. */
import type { BacktestKind, TriedRule } from '@breakwater/contract/firewall/backtest.ts'
import { Fault } from '../http/fault.ts'
import type { SavedRule, SiteDocument } from '../publish/document.ts'

/** Greater than any id that is given, as the next one will be. */
const nextId = 2 ** 31 - 1

/**
 * Puts the rule at the place that it would be saved at: of the same priority the greatest id is asked last. It is enabled
 * and enforced whatever it says, for that is the question. Rules that have ended by `now` are left out: they will not be
 * asked again. Throws where `id` names no rule of that kind.
 */
export function withRule(
  document: SiteDocument,
  { kind, rule }: TriedRule,
  id: number | undefined,
  now: Date,
): { document: SiteDocument; guard: BacktestKind; id: number } {
  const before = document.rules[kind] ?? []
  if (id !== undefined && !before.some((one) => one.id === id)) throw new Fault('permissionDenied')
  const { enabled: _, mode: __, memo, expiresAt: ___, ...body } = rule
  const tried: SavedRule = {
    id: id ?? nextId,
    sort: 'priority' in body ? body.priority : 0,
    enabled: true,
    mode: 'enforce',
    body,
    bodyVersion: 1,
    memo,
    createdBy: '',
    expiresAt: null,
    createdAt: now.toISOString(),
  }
  const present = (one: SavedRule) => one.expiresAt === null || new Date(one.expiresAt) > now
  const rules = Object.fromEntries(Object.entries(document.rules).map(([name, list]) => [name, list.filter(present)]))
  rules[kind] = [...before.filter((one) => one.id !== id && present(one)), tried].sort(
    (a, b) => a.sort - b.sort || a.id - b.id,
  )
  return { document: { ...document, rules }, guard: kind, id: tried.id }
}
