/** Gathers a site from the objects on disk. Nothing is believed that was not decoded and checked. */
import type {
  Artefact,
  CachePart,
  CustomHeadersPart,
  FirewallPart,
  SettingsPart,
} from '@breakwater/contract/edge/artefact.ts'
import type { ArtefactBefore } from '@breakwater/contract/edge/artefact-before.ts'
import type { SiteSource } from '../guard.ts'
import { artefactBefore, artefact as artefactShape, parts } from './shapes.ts'

/**
 * Where objects come from.
 * @noSelf
 */
export interface Objects {
  /** The bytes of an object, or nothing where it is absent or not what its name says. */
  read(hash: string): string | undefined
  decode(text: string): unknown
}

/**
 * Reads all but a firewall part that is known already.
 * Throws with the reason where the artefact or one of its parts is missing, broken or of a schema this node does not know.
 */
export function readSource(hash: string, objects: Objects, isKnown?: (firewall: string) => boolean): SiteSource {
  const bytes = objects.read(hash)
  if (bytes === undefined) throw new Error(`artefact ${hash.substring(0, 12)} is missing or damaged`)
  const artefact = toCurrent(objects.decode(bytes))
  let weight = bytes.length

  const part = (kind: string, of: string): unknown => {
    const content = objects.read(of)
    if (content === undefined) throw new Error(`part ${kind} ${of.substring(0, 12)} is missing or damaged`)
    weight += content.length
    const value = objects.decode(content) as { kind?: string } | undefined
    if (typeof value !== 'object' || value === null || value.kind !== kind)
      throw new Error(`part ${of.substring(0, 12)} is no ${kind}`)
    const problem = parts[kind]!(value, kind)
    if (problem !== undefined) throw new Error(problem)
    return value
  }

  const settings = part('settings', artefact.parts.settings) as SettingsPart
  const firewall = isKnown?.(artefact.parts.firewall)
    ? undefined
    : (part('firewall', artefact.parts.firewall) as FirewallPart)
  const cache = part('cache', artefact.parts.cache) as CachePart
  const headers: Record<string, CustomHeadersPart> = {}
  for (const domain of artefact.domains) {
    for (const name of domain.customHeaders) {
      if (headers[name] === undefined) headers[name] = part('customHeaders', name) as CustomHeadersPart
    }
  }
  return { hash, artefact, settings, firewall, cache, headers, bytes: weight }
}

const schemaCurrent = 2
const schemaBefore = 1

/** An artefact of the schema before is lifted, so that a node that was just upgraded serves from its own disk. */
function toCurrent(value: unknown): Artefact {
  const schema = typeof value === 'object' && value !== null ? (value as { schema?: unknown }).schema : undefined
  if (schema !== schemaCurrent && schema !== schemaBefore) throw new Error(`artefact has an unknown schema`)
  const problem = schema === schemaCurrent ? artefactShape(value, '') : artefactBefore(value, '')
  if (problem !== undefined) throw new Error(problem)
  if (schema === schemaCurrent) return value as Artefact
  const before = value as ArtefactBefore
  return {
    schema: schemaCurrent,
    site: before.site,
    revision: before.revision,
    domains: before.hosts.map((host) => ({
      id: host.id,
      name: host.name,
      origins: host.origins,
      balance: 'roundRobin' as const,
      customHeaders: host.headers,
    })),
    parts: before.parts,
    lists: before.lists,
    secrets: before.secrets,
    allowOrigins: before.allowOrigins,
  }
}
