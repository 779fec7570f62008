/**
 * A site from the disk, compiled. Guards are compiled once for each firewall part: sites with the same rules share them,
 * and they go with the last of those.
 */
import { compileGuards, type Step } from '../guards.ts'
import { type CompiledSite, compileSite } from './compile.ts'
import { compileTools, objects } from './objects.ts'
import { readSource } from './source.ts'

const guardsByPart = setmetatable({} as Record<string, Step[]>, { __mode: 'v' } as never)

/** Throws with the reason where anything of it is missing, damaged or does not compile. */
export function readSite(hash: string): CompiledSite {
  // Held here, so that it is not collected between the two looks.
  let shared: Step[] | undefined
  const source = readSource(hash, objects, (part) => {
    shared = guardsByPart[part]
    return shared !== undefined
  })
  if (shared !== undefined) return compileSite(source, shared)
  const steps = compileGuards(source.firewall!, compileTools)
  guardsByPart[source.artefact.parts.firewall] = steps
  return compileSite(source, steps)
}
