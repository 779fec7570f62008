/** An nginx configuration as a draft of sites. */
import { addSites } from '../combine.ts'
import type { DraftBuilder } from '../draft.ts'
import { isByPath } from './by-path.ts'
import { reasonOf } from './left-behind.ts'
import { type Around, upstreamsOf } from './origins.ts'
import { siteWide } from './settings.ts'
import { type Directive, readTree, withIncludes } from './tree.ts'
import { readLevel, readVhost } from './vhosts.ts'

/** Throws a SourceError where the text is no configuration. */
export function readNginx(text: string, draft: DraftBuilder): void {
  const files = readTree(text)
  const top = withIncludes(files)
  // A whole configuration has its servers in `http`; what is copied from a folder of sites has them at the top.
  const level = top.flatMap((directive) => (directive.name === 'http' ? (directive.block ?? []) : [directive]))
  const note = draft.noting()
  // Of thousands of servers each would look through all others.
  const settings = level.filter(({ name }) => Object.hasOwn(siteWide, name))
  const around: Around = { level: settings, upstreams: upstreamsOf(level, note) }
  noteLevel(level, draft, files.byName.size > 0)
  const servers = level.filter(({ name, block }) => name === 'server' && block)
  addSites(
    servers.map((server) => readVhost(server, around, draft)),
    draft,
  )
}

/** What stands beside servers: settings are taken by each of them, everything else is noted once. */
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

/** What a distribution includes everywhere, and a folder of which the whole configuration has no file. */
const isEmptyInclude = ({ args: [path = ''] }: Directive, isWhole: boolean): boolean =>
  (isWhole && path.includes('*')) || /mime\.types|modules-enabled\/|modules\//.test(path)
