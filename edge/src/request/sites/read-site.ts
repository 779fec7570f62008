/** A site from the disk, compiled. What it has in common with others is read and compiled for the first of them. */
import type { ArtefactDomain, Part } from '@breakwater/contract/edge/artefact.ts'
import { compileGuards, type Step } from '../guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'
import {
  type CompiledCache,
  type CompiledSettings,
  type CompiledSite,
  compileCache,
  compileHeaders,
  compileSettings,
  compileSite,
  type HeaderChanges,
} from './compile.ts'
import { compileTools, objects } from './objects.ts'
import { sharing } from './shared.ts'
import { readArtefact, readPart } from './source.ts'

const sharedSettings = sharing<CompiledSettings>()
const sharedSteps = sharing<Step[]>()
const sharedCache = sharing<CompiledCache>()
const sharedHeaders = sharing<HeaderChanges>()
const sharedRanges = sharing<RangeSet>()

/** Throws with the reason where anything of it is missing, damaged or does not compile. */
export function readSite(hash: string): CompiledSite {
  const read = readArtefact(hash, objects)
  const { artefact } = read
  let { bytes } = read
  const part = <K extends Part['kind']>(kind: K, of: string): Extract<Part, { kind: K }> => {
    const found = readPart(kind, of, objects)
    bytes += found.bytes
    return found.part
  }
  const headersOf = ({ customHeaders }: ArtefactDomain): HeaderChanges =>
    sharedHeaders(customHeaders.join(' '), () =>
      compileHeaders(customHeaders.map((module) => part('customHeaders', module))),
    )
  const { settings, firewall, cache } = artefact.parts
  const parts = {
    settings: sharedSettings(settings, () => compileSettings(part('settings', settings))),
    steps: sharedSteps(firewall, () => compileGuards(part('firewall', firewall), compileTools)),
    cache: sharedCache(cache, () => compileCache(part('cache', cache))),
    allowed: sharedRanges(artefact.allowOrigins.join(' '), () => rangeSet(artefact.allowOrigins)),
    headersOf,
  }
  const site = compileSite(artefact, parts)
  site.bytes = bytes
  return site
}
