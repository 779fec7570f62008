/** Restores an earlier document, in whole or in parts: each part replaces its current body. */
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { type Change, diffDocuments } from './diff.ts'
import type { SiteDocument } from './document.ts'
import type { LockedSite } from './locked-sites.ts'
import { bodiesOf, bodyOf, type Part, type Parts, type SitePart } from './part.ts'

/** The name by which a part is selected. Selecting the domains includes everything that they own. */
function unitsOf(parts: Parts): Map<string, Part[]> {
  const domains = parts.find((part) => part.owner === 'site' && part.domainsOf)?.name ?? 'domains'
  return Map.groupBy(parts, (part) => (part.owner === 'domain' ? domains : part.name))
}

/** `isRestored`: by a restore of the whole site. `isRestorable`: by one that selects the part. */
export type RestorableChange = Change & { part: string; isRestored: boolean; isRestorable: boolean }

/** The changes from one document to another, sorted by path, each with the part by which it is restored. */
export function restorableChanges(parts: Parts, before: SiteDocument, after: SiteDocument): RestorableChange[] {
  const changes = [...unitsOf(parts)].flatMap(([part, members]) => {
    const shared = members.find((member) => member.owner === 'site' && member.isShared) as SitePart | undefined
    // A shared item that the site started or stopped using comes and goes with the domains that use it.
    const goesBack = ({ kind, after }: Change) => kind === 'changed' && shared?.shared?.goesBack(after) === true
    return diffDocuments(members, before, after).map((change) => ({
      ...{ ...change, part, isRestored: !shared },
      isRestorable: !shared || goesBack(change),
    }))
  })
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * Locks what a restore of the selected parts writes outside of the site, and returns the ids of the other sites that
 * use it.
 */
export async function lockShared(
  db: Database,
  parts: Parts,
  site: { id: number },
  document: SiteDocument,
  chosen: readonly string[] = [],
): Promise<number[]> {
  const ids = new Set<number>()
  for (const part of parts) {
    if (part.owner !== 'site' || !part.shared || !chosen.includes(part.name)) continue
    for (const id of await part.shared.lock(db, site, bodyOf(document, part))) ids.add(id)
  }
  return [...ids].filter((id) => id !== site.id)
}

/**
 * Runs as the caller, who holds the site's lock and those of `lockShared`. `chosen` names the parts; by default,
 * everything that no other site uses. Throws 101003 for an unknown name.
 */
export async function restoreDocument(
  db: Database,
  parts: Parts,
  site: LockedSite,
  document: SiteDocument,
  chosen?: readonly string[],
): Promise<void> {
  const units = unitsOf(parts)
  if (chosen?.some((name) => !units.has(name))) throw fieldFault('parts', 'wrongFormat')
  const own = parts.filter((part) => part.owner === 'domain' || !part.isShared)
  const members = new Set(chosen?.flatMap((name) => units.get(name) ?? []) ?? own)
  for (const part of parts.filter((one) => members.has(one))) {
    if (part.owner === 'site') await part.restore(db, site, bodyOf(document, part))
    else {
      const bodies = Object.entries(bodiesOf(document, part)).map(([id, body]) => [Number(id), body] as const)
      await part.restore(db, site, new Map(bodies))
    }
  }
}
