/** What the agent itself checks of an artefact and its parts before nginx compiles them. */
import { Artefact, type Part, Part as PartSchema } from '@breakwater/contract/edge/artefact.ts'
import { ipSetMagic } from '@breakwater/contract/edge/ip-set.ts'
import type { z } from 'zod'

export type PartRef = { hash: string; kind: Part['kind'] | 'list' }

/** Throws with what is wrong. */
export function parseArtefact(bytes: Uint8Array, site: number): Artefact {
  const artefact = parseObject(Artefact, bytes)
  requireSite(artefact, site)
  return artefact
}

/** An artefact under another site's name would serve one customer's traffic with another's settings. */
export function requireSite(artefact: { site: number }, site: number): void {
  if (artefact.site !== site) throw new Error(`it is the artefact of site ${artefact.site}`)
}

/** Every object that an artefact needs, each once. */
export function partsOf(artefact: Artefact): PartRef[] {
  const { settings, firewall, cache } = artefact.parts
  const headers = artefact.domains.flatMap((domain) => domain.customHeaders)
  const refs: PartRef[] = [
    { hash: settings, kind: 'settings' },
    { hash: firewall, kind: 'firewall' },
    { hash: cache, kind: 'cache' },
    ...headers.map((hash) => ({ hash, kind: 'customHeaders' as const })),
    ...artefact.lists.map((hash) => ({ hash, kind: 'list' as const })),
  ]
  return [...new Map(refs.map((ref) => [partKey(ref), ref])).values()]
}

/** One object in one meaning: what is wrong with it there says nothing of another use of the same bytes. */
export const partKey = ({ kind, hash }: PartRef) => `${kind} ${hash}`

/** The secrets that an artefact names. */
export function secretsOf(artefact: Artefact): string[] {
  return Object.values(artefact.secrets).filter((ref) => ref !== undefined)
}

/** Throws with what is wrong. */
export function checkPart(bytes: Uint8Array, kind: PartRef['kind']): void {
  if (kind === 'list') {
    checkList(bytes)
    return
  }
  const part = parseObject(PartSchema, bytes)
  if (part.kind !== kind) throw new Error(`it is of kind ${part.kind}`)
}

function checkList(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  const fits = bytes.length >= 16 && 16 + view.getUint32(8, true) * 8 + view.getUint32(12, true) * 32 === bytes.length
  if (magic !== ipSetMagic || !fits) throw new Error('it is no address list')
}

/** An object's JSON by its schema. Throws with the first thing that is wrong. */
export function parseObject<S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw new Error('it is no JSON')
  }
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Error(`${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}`)
}
