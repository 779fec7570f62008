/** The differences between two documents of a site, in terms that a person knows: a rule, a domain, a setting. */
import { isDeepStrictEqual } from 'node:util'
import type { SiteDocument } from './document.ts'
import type { Item, Parts } from './part.ts'

export type Change = { path: string; kind: 'added' | 'removed' | 'changed'; before: unknown; after: unknown }

function* itemsOf(parts: Parts, document: SiteDocument): Generator<Item> {
  const names = domainNames(parts, document)
  for (const part of parts) {
    const body = document[part.name]
    if (body === undefined) continue
    if (part.owner === 'site') yield* part.items(body)
    else
      for (const [id, one] of Object.entries(body))
        for (const [path, value] of part.items(one)) yield [`domains/${names.get(Number(id))}/${path}`, value]
  }
}

/** The names of a document's domains by id. */
function domainNames(parts: Parts, document: SiteDocument): Map<number, string> {
  const domains = parts.flatMap((part) => {
    const body = document[part.name]
    return body && part.owner === 'site' ? (part.domainsOf?.(body) ?? []) : []
  })
  return new Map(domains.map(({ id, name }) => [id, name]))
}

/** The changes from one document to another, sorted by path. */
export function diffDocuments(parts: Parts, before: SiteDocument | undefined, after: SiteDocument): Change[] {
  const old = new Map(before && itemsOf(parts, before))
  const now = new Map(itemsOf(parts, after))
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
