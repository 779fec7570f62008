/** What differs between two documents of a site, by the things a person knows: a rule, a domain, a setting. */
import { isDeepStrictEqual } from 'node:util'
import type { SiteDocument } from './document.ts'

export type Change = { path: string; kind: 'added' | 'removed' | 'changed'; before: unknown; after: unknown }

function flatten(document: SiteDocument): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  const { name, tags, status } = document.site
  flat.set('site', { name, tags, status })
  for (const [setting, value] of Object.entries(document.settings)) flat.set(`settings/${setting}`, value)
  for (const { proof: _, ...domain } of document.domains) flat.set(`domains/${domain.name}`, domain)
  for (const [kind, rules] of Object.entries(document.rules))
    for (const rule of rules) flat.set(`${kind}/${rule.id}`, rule)
  for (const [id, module] of Object.entries(document.modules)) flat.set(`modules/${id}`, module)
  return flat
}

/** The changes that lead from one document to another, sorted by path. */
export function diffDocuments(before: SiteDocument | undefined, after: SiteDocument): Change[] {
  const old = before ? flatten(before) : new Map<string, unknown>()
  const now = flatten(after)
  const changes: Change[] = []
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [from, to] = [old.get(path), now.get(path)]
    if (isDeepStrictEqual(from, to)) continue
    changes.push({
      path,
      kind: from === undefined ? 'added' : to === undefined ? 'removed' : 'changed',
      before: from ?? null,
      after: to ?? null,
    })
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}
