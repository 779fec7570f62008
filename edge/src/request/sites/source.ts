/** Reads artefacts and their parts from the objects on disk. Nothing is trusted before it is decoded and checked. */
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { edgeFeatures } from '@breakwater/contract/edge/features.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import { problemOf } from '../lib/shape.ts'
import { artefact as artefactShape, parts } from './shapes.ts'

/**
 * The source of objects.
 * @noSelf
 */
export interface Objects {
  /** The bytes of an object. Returns undefined if it is missing or does not match its name. */
  read(hash: string): string | undefined
  decode(text: string): unknown
}

/** Reads an artefact. Throws with the reason if missing, broken, of another schema, or with unknown requirements. */
export function readArtefact(hash: string, objects: Objects): { artefact: Artefact; bytes: number } {
  const content = objects.read(hash)
  if (content === undefined) throw new Error(`artefact ${hash.substring(0, 12)} is missing or damaged`)
  return { artefact: checked(objects.decode(content)), bytes: content.length }
}

/** Reads one part of an artefact. Throws with the reason if it is missing, broken or of another kind. */
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

function checked(value: unknown): Artefact {
  const schema = typeof value === 'object' && value !== null ? (value as { schema?: unknown }).schema : undefined
  if (schema !== schemaCurrent) throw new Error(`artefact has an unknown schema`)
  const problem = problemOf(artefactShape, value, '')
  if (problem !== undefined) throw new Error(problem)
  const artefact = value as Artefact
  for (const feature of artefact.requires)
    if (!edgeFeatures.includes(feature as (typeof edgeFeatures)[number])) throw new Error(`requires ${feature}`)
  return artefact
}
