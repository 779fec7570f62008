/** Applies feed entries: everything is decoded, checked and compiled before the site index changes. */
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { null as nothing } from 'cjson.safe'
import { forgetSite } from '../delivery/purges.ts'
import * as siteIndex from '../memory/site-index.ts'
import { recompiledSite } from './site-cache.ts'

/** What the agent is told about a site that keeps its previous artefact. */
export type Refused = { site: number; revision: number; reason: string }

/** The artefact of an entry. Returns undefined if this node no longer serves the site. */
const artefactOf = ({ artefact }: FeedEntry): string | undefined =>
  artefact === null || artefact === (nothing as unknown) ? undefined : artefact

/** Reads and compiles an entry's artefact, which may take milliseconds. Returns the reason if it cannot be served. */
export function checkEntry(entry: FeedEntry): string | undefined {
  const hash = artefactOf(entry)
  if (hash === undefined) return undefined
  const [ok, problem] = pcall(() => check(entry, hash))
  return ok ? undefined : reason(problem)
}

/** Puts a checked entry into the site index. Returns the reason if that failed; other sites are unaffected. */
export function putEntry(entry: FeedEntry): string | undefined {
  const hash = artefactOf(entry)
  if (hash === undefined) {
    if (entry.ineligible === undefined) {
      if (siteIndex.hashOf(entry.site) !== undefined) forgetSite(entry.site)
      siteIndex.remove(entry)
    } else siteIndex.noteSequence(entry.sequence)
    return undefined
  }
  const [moved, failure] = pcall(() => siteIndex.setSite(entry, hash))
  return moved ? undefined : reason(failure)
}

function check(entry: FeedEntry, hash: string): void {
  const site = recompiledSite(hash)
  if (site.site !== entry.site) throw new Error(`artefact is of site ${site.site}`)
  for (const host of entry.hosts)
    if (site.domains[host] === undefined) throw new Error(`artefact has no domain ${host}`)
}

function reason(problem: unknown): string {
  const error = problem as { message?: string } | string
  const message = type(error) === 'table' ? ((error as { message?: string }).message ?? 'unknown') : tostring(error)
  return message.substring(0, 500)
}
