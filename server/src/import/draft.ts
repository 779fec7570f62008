/**
 * The draft that every reader of foreign settings fills: sites that the API calls would accept, and notes of what is
 * left out.
 */

import { checkDomainName } from '@breakwater/contract/domain-name.ts'
import {
  ImportedSite,
  type ImportNote,
  type ImportReason,
  importDomainsMax,
  importNotesMax,
} from '@breakwater/contract/import/site-import.ts'
import type { z } from 'zod'

/** A place in the source. */
export type Place = { line: number; text: string }

/** A source that cannot be read from a certain place on: it is not a configuration at all, or is broken there. */
export class SourceError extends Error {
  readonly place: Place
  constructor(place: Place) {
    super(`line ${place.line} cannot be read`)
    this.place = place
  }
}

const textCharsMax = 200
/** How many things of one site are left out one by one before giving up. */
const turnsMax = 500
const shortened = (text: string): string => {
  const line = text
    .trim()
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
  return line.length > textCharsMax ? `${line.slice(0, textCharsMax - 1).toWellFormed()}…` : line
}

export type Note = (reason: ImportReason, place: Place) => void

type SiteInput = z.input<typeof ImportedSite>
type Part = Exclude<keyof SiteInput, 'siteName' | 'domains'>

/** Collects the draft of one source, within limits. */
export class DraftBuilder {
  readonly notes: ImportNote[] = []
  private readonly sites: { line: number; site: SiteInput; notes: ImportNote[] }[] = []
  private readonly taken = new Set<string>()
  private notesCut = 0
  private noteCount = 0

  /** Returns a function that notes into a list of its own, until it is known which site the notes belong to. */
  noting(list: ImportNote[] = this.notes): Note {
    return (reason, { line, text }) => {
      if (this.noteCount >= importNotesMax) this.notesCut += 1
      else {
        this.noteCount += 1
        list.push({ line, text: shortened(text), reason })
      }
    }
  }

  /**
   * Returns the names that can be domains of the next site: valid ones that no other site of the draft has. Notes the
   * others.
   */
  takeNames(names: readonly string[], place: Place, note: Note, reason: ImportReason = 'serverName'): string[] {
    return [...new Set(names)].flatMap((text) => {
      const check = checkDomainName(text, { wildcard: true })
      const at = { line: place.line, text: text === '' ? place.text : text }
      if (!check.ok) note(reason, at)
      else if (this.taken.has(check.name)) note('duplicateName', at)
      else if (this.taken.size >= importDomainsMax) note('tooMany', at)
      else {
        this.taken.add(check.name)
        return [check.name]
      }
      return []
    })
  }

  add(line: number, site: SiteInput, notes: ImportNote[] = []): void {
    this.sites.push({ line, site, notes })
  }

  /**
   * The draft, in which each part of each site is valid for its API call; parts that are not are left out and noted.
   */
  finish() {
    const sites = this.sites.map(({ line, site, notes }) => {
      const fitting = this.fitting(site, line, notes)
      return { line, site: fitting, notes: byLine(notes) }
    })
    return { sites, notes: byLine(this.notes), notesCut: this.notesCut }
  }

  private fitting(site: SiteInput, line: number, notes: ImportNote[]): ImportedSite {
    const note = this.noting(notes)
    let fitting: SiteInput = site
    // Each turn leaves something out or ends the loop.
    for (let turn = 0; turn < turnsMax; turn++) {
      const found = ImportedSite.safeParse(fitting)
      if (found.success) return found.data
      const issue = found.error.issues[0]!
      note(issue.code === 'too_big' ? 'tooMany' : 'value', { line, text: issue.path.join('.') })
      fitting = without(fitting, issue)
    }
    throw new SourceError({ line, text: site.siteName })
  }
}

const byLine = (notes: ImportNote[]): ImportNote[] => notes.toSorted((a, b) => a.line - b.line)

/** A site without the invalid domain, item or part, or with a list cut to its maximum length. */
function without(site: SiteInput, { path, ...issue }: z.core.$ZodIssue): SiteInput {
  const [part, index, inner, at] = path
  const value = site[part as Part] as unknown
  const first = (list: unknown[]) => (issue.code === 'too_big' ? list.slice(0, Number(issue.maximum)) : undefined)
  if (!Array.isArray(value) || typeof index !== 'number') {
    const { [part as Part]: _, ...rest } = site
    const left = Array.isArray(value) ? first(value) : undefined
    return (left ? { ...rest, [part as string]: left } : rest) as SiteInput
  }
  // One item is removed from a module, and the module along with its last item.
  const module = value[index] as { items?: unknown[] }
  const fewer = typeof at === 'number' ? module.items?.toSpliced(at, 1) : module.items && first(module.items)
  const items = inner === 'items' ? fewer : undefined
  const left = items ? value.with(index, { ...module, items }) : value.toSpliced(index, 1)
  return { ...site, [part as string]: left }
}
