/** The changes of a site's next revision, as its history and the audit log show them. */
import type { RevisionChanges } from '@breakwater/contract/sites/history.ts'
import { canonicalJson } from './canonical.ts'
import { type Change, diffDocuments } from './diff.ts'
import type { SiteDocument } from './document.ts'
import type { Parts } from './part.ts'
import { restorableChanges } from './restore.ts'

/** The number of changes of a revision that its history shows. */
const firstMax = 5
/** Longer values are not repeated there; in characters of JSON. */
const valueMax = 4096

/** All changes, and what the history stores of them. */
export type Changes = { changes: Change[]; told: RevisionChanges }

export function changesBetween(parts: Parts, before: SiteDocument | undefined, document: SiteDocument): Changes {
  const changes = diffDocuments(parts, before, document)
  const told = before ? restorableChanges(parts, before, document) : []
  const restorable = told.filter(({ isRestorable }) => isRestorable)
  return {
    changes,
    told: {
      total: changes.length,
      first: told.slice(0, firstMax).map(shorten),
      parts: [...new Set(restorable.map(({ part }) => part))],
    },
  }
}

const isLong = (value: unknown) => JSON.stringify(value)?.length > valueMax
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Thousands of addresses are of no use there: of long lists only the added and removed items are kept, and a value that
 * is still long is left out.
 */
export function shorten<T extends { before: unknown; after: unknown }>(change: T): T {
  if (!isLong(change.before) && !isLong(change.after)) return change
  const { before, after } =
    isRecord(change.before) && isRecord(change.after) ? withoutCommon(change.before, change.after) : change
  const short = (value: unknown) => (isLong(value) ? '(long; see the site’s history)' : value)
  return { ...change, before: short(before), after: short(after) }
}

/** Two records without the items that their lists have in common. */
function withoutCommon(before: Record<string, unknown>, after: Record<string, unknown>) {
  const without = (of: Record<string, unknown>, other: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(of).map(([name, value]) => {
        const there = other[name]
        if (!Array.isArray(value) || !Array.isArray(there)) return [name, value]
        const known = new Set(there.map(canonicalJson))
        return [name, value.filter((item) => !known.has(canonicalJson(item)))]
      }),
    )
  return { before: without(before, after), after: without(after, before) }
}
