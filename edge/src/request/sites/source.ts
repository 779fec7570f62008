/** Reads artefacts and their parts from the objects on disk. Nothing is believed that was not decoded and checked. */
import type { Artefact, Part } from '@breakwater/contract/edge/artefact.ts'
import type { ArtefactBefore } from '@breakwater/contract/edge/artefact-before.ts'
import { problemOf } from '../lib/shape.ts'
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

/** An artefact, of whichever schema this node knows. Throws with the reason where it is missing, broken or of another. */
export function readArtefact(hash: string, objects: Objects): { artefact: Artefact; bytes: number } {
  const content = objects.read(hash)
  if (content === undefined) throw new Error(`artefact ${hash.substring(0, 12)} is missing or damaged`)
  return { artefact: toCurrent(objects.decode(content)), bytes: content.length }
}

/** One part of an artefact. Throws with the reason where it is missing, broken or of another kind. */
export function readPart<K extends Part['kind']>(
  kind: K,
  hash: string,
  objects: Objects,
): { part: Extract<Part, { kind: K }>; bytes: number } {
  const content = objects.read(hash)
  if (content === undefined) throw new Error(`part ${kind} ${hash.substring(0, 12)} is missing or damaged`)
  const value = objects.decode(content) as { kind?: string } | undefined
  if (typeof value !== 'object' || value === null || value.kind !== kind)
    throw new Error(`part ${hash.substring(0, 12)} is no ${kind}`)
  const problem = problemOf(parts[kind]!, value, kind)
  if (problem !== undefined) throw new Error(problem)
  return { part: value as Extract<Part, { kind: K }>, bytes: content.length }
}

const schemaCurrent = 2
const schemaBefore = 1

/** An artefact of the schema before is lifted, so that a node that was just upgraded serves from its own disk. */
function toCurrent(value: unknown): Artefact {
  const schema = typeof value === 'object' && value !== null ? (value as { schema?: unknown }).schema : undefined
  if (schema !== schemaCurrent && schema !== schemaBefore) throw new Error(`artefact has an unknown schema`)
  const problem = problemOf(schema === schemaCurrent ? artefactShape : artefactBefore, value, '')
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
