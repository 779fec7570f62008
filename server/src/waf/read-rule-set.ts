/** Reads an uploaded archive as a rule set, or reports why that is not possible. */
import { objectBytesMax } from '@breakwater/contract/edge/artefact.ts'
import { WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import type { RuleSetPlace } from '@breakwater/contract/nodes/rule-sets.ts'
import { type CompiledFolder, compileFolder, ownFiles, setupExample } from './compile-folder.ts'
import { SecLangErrors } from './directives.ts'
import { readArchive } from './read-archive.ts'
import { BadArchive } from './unpacking.ts'

/** `unreadable`: not an archive, or a malicious one. */
export type ReadRuleSet = { compiled: CompiledFolder } | { problems: RuleSetPlace[] } | { unreadable: string }

/** `fallback` is the set's name if it does not define one itself. */
export async function readRuleSet(archive: Buffer, fallback: string): Promise<ReadRuleSet> {
  try {
    const files = folderOf(await readArchive(archive))
    return checked(compileFolder(files, fallback))
  } catch (error) {
    if (error instanceof BadArchive) return { unreadable: error.message }
    if (error instanceof SecLangErrors)
      return { problems: error.list.map(({ place, reason }) => ({ ...place, reason: reason.slice(0, 500) })) }
    throw error
  }
}

/** The files in the folder of the Core Rule Set's settings; else those of the topmost folder with rules. */
function folderOf(files: ReadonlyMap<string, string>): Map<string, string> {
  const folders = new Map<string, Map<string, string>>()
  for (const [path, text] of files) {
    const slash = path.lastIndexOf('/') + 1
    const folder = folders.get(path.slice(0, slash)) ?? new Map<string, string>()
    folders.set(path.slice(0, slash), folder.set(path.slice(slash), text))
  }
  const found = [...folders]
    .filter(([, folder]) => [...folder.keys()].some((name) => name.endsWith('.conf') && !ownFiles.includes(name)))
    .sort(
      ([a, one], [b, other]) =>
        Number(hasSettings(other)) - Number(hasSettings(one)) || depthOf(a) - depthOf(b) || (a < b ? -1 : 1),
    )[0]
  if (!found) throw new BadArchive('no rules')
  const [path, folder] = found
  for (const name of [...ownFiles, setupExample]) {
    const nearest = nearestTo(path, name, [...files.keys()])
    if (nearest !== undefined && !folder.has(name)) folder.set(name, files.get(nearest)!)
  }
  return folder
}

/** Releases have the setup above the rules, and packages in another folder: the closest file is used. */
function nearestTo(folder: string, name: string, paths: readonly string[]): string | undefined {
  const stepsTo = (path: string) => {
    const [from, to] = [folder.split('/'), path.split('/')]
    const shared = from.findIndex((one, at) => one === '' || one !== to[at])
    return from.length + to.length - 2 * shared
  }
  return paths
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .sort((a, b) => stepsTo(a) - stepsTo(b) || (a < b ? -1 : 1))[0]
}

const hasSettings = (folder: ReadonlyMap<string, string>) => folder.has('REQUEST-901-INITIALIZATION.conf')
const depthOf = (path: string) => path.split('/').length

/** Reports in advance what nodes would refuse. */
function checked(compiled: CompiledFolder): ReadRuleSet {
  const refuse = (reason: string): ReadRuleSet => ({ problems: [{ file: '', line: 0, reason }] })
  const parts = [compiled.part, ...(compiled.responses ? [compiled.responses] : [])]
  const ids = new Set<number>()
  for (const { id } of compiled.texts) {
    if (ids.has(id)) return refuse(`two rules have the id ${id}`)
    ids.add(id)
  }
  if (compiled.part.rules.length === 0) return refuse('there is no rule in it')
  for (const part of parts) {
    const { error } = WafRulesPart.safeParse(part)
    if (error) return refuse(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)[0]!)
    if (JSON.stringify(part).length > objectBytesMax) return refuse('it is too long')
  }
  return { compiled }
}
