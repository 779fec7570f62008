/** Reads an nginx configuration as a draft of sites. */
import { addSites } from '../combine.ts'
import type { DraftBuilder } from '../draft.ts'
import { isByPath } from './by-path.ts'
import { reasonOf } from './left-behind.ts'
import { type Around, upstreamsOf } from './origins.ts'
import { siteWide } from './settings.ts'
import { type Directive, readTree, withIncludes } from './tree.ts'
import { readLevel, readVhost } from './vhosts.ts'

/** Throws a SourceError if the text is not an nginx configuration. */
export function readNginx(text: string, draft: DraftBuilder): void {
  const files = readTree(text)
  const top = withIncludes(files)
  // A complete configuration has its servers in `http`; files copied from a folder of sites have them at the top level.
  const level = top.flatMap((directive) => (directive.name === 'http' ? (directive.block ?? []) : [directive]))
  const note = draft.noting()
  // Filtered once: with thousands of servers, each would otherwise look through all others.
  const settings = level.filter(({ name }) => Object.hasOwn(siteWide, name))
  const around: Around = { level: settings, upstreams: upstreamsOf(level, note) }
  noteLevel(level, draft, files.byName.size > 0)
  const servers = level.filter(({ name, block }) => name === 'server' && block)
  addSites(
    servers.map((server) => readVhost(server, around, draft)),
    draft,
  )
}

/** Directives next to servers: each server inherits the settings, everything else is noted once. */
function noteLevel(level: readonly Directive[], draft: DraftBuilder, isWhole: boolean): void {
  const note = draft.noting()
  readLevel({ headers: [] }, level, note)
  for (const directive of level) {
    const { name } = directive
    if (name === 'server' || name === 'upstream' || Object.hasOwn(siteWide, name)) continue
    if (isByPath(directive)) note('location', directive)
    else
      note(name === 'include' ? (isEmptyInclude(directive, isWhole) ? 'byEdge' : 'include') : reasonOf(name), directive)
  }
}

/** An include that every distribution has, or of a folder without files in a complete configuration. */
const isEmptyInclude = ({ args: [path = ''] }: Directive, isWhole: boolean): boolean =>
  (isWhole && path.includes('*')) || /mime\.types|modules-enabled\/|modules\//.test(path)
