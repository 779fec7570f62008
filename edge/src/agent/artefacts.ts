/** The agent's own checks of an artefact and its parts, before nginx compiles them. */
import { Artefact, objectBytesMax } from '@breakwater/contract/edge/artefact.ts'
import { edgeFeatures } from '@breakwater/contract/edge/features.ts'
import { ipSetMagic } from '@breakwater/contract/edge/ip-set.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { type Part, Part as PartSchema } from '@breakwater/contract/edge/parts.ts'
import type { z } from 'zod'

export type PartRef = { hash: string; kind: Part['kind'] | 'list' }

/** Throws with the reason if the artefact is invalid. */
export function parseArtefact(bytes: Uint8Array, site: number): Artefact {
  const artefact = parseObject(Artefact, bytes)
  requireSite(artefact, site)
  const lacking = artefact.requires.find((feature) => !edgeFeatures.some((known) => known === feature))
  if (lacking !== undefined) throw new Error(`requires ${lacking}`)
  return artefact
}

/**
 * Throws unless the artefact matches its feed entry: a host that only one of the two lists would go dark, or be served
 * for another site.
 */
export function requireEntry(artefact: Pick<Artefact, 'site' | 'revision'>, names: string[], entry: FeedEntry): void {
  requireSite(artefact, entry.site)
  if (artefact.revision !== entry.revision) throw new Error(`it is revision ${artefact.revision}`)
  const hosts = new Set(entry.hosts)
  const odd = names.find((name) => !hosts.delete(name)) ?? [...hosts][0]
  if (odd !== undefined) throw new Error(`the entry and the artefact disagree about ${odd}`)
}

/** An artefact of another site would serve one customer's traffic with another customer's settings. */
export function requireSite(artefact: { site: number }, site: number): void {
  if (artefact.site !== site) throw new Error(`it is the artefact of site ${artefact.site}`)
}

/** The kinds of modules that a domain may be bound to; also their property names in it. */
const moduleKinds = ['urlRedirects', 'cors', 'proxyRewrites', 'tokenAuths', 'authRules', 'waf', 'luaAcls'] as const

/** Every object that an artefact needs, without duplicates. */
export function partsOf(artefact: Artefact): PartRef[] {
  const { settings, firewall, cache, bandwidth, wafRules, wafResponses, apiShield } = artefact.parts
  const headers = artefact.domains.flatMap((domain) => domain.customHeaders)
  const ofDomains = artefact.domains.flatMap((domain) => domain.firewall ?? [])
  const refs: PartRef[] = [
    { hash: settings, kind: 'settings' },
    ...[firewall, ...ofDomains].map((hash) => ({ hash, kind: 'firewall' as const })),
    { hash: cache, kind: 'cache' },
    ...(bandwidth === undefined ? [] : [{ hash: bandwidth, kind: 'bandwidth' as const }]),
    ...[wafRules ?? [], wafResponses ?? []].flat().map((hash) => ({ hash, kind: 'wafRules' as const })),
    ...(apiShield === undefined ? [] : [{ hash: apiShield, kind: 'apiShield' as const }]),
    ...headers.map((hash) => ({ hash, kind: 'customHeaders' as const })),
    ...artefact.domains.flatMap((domain) =>
      moduleKinds.flatMap((kind) => [domain[kind] ?? []].flat().map((hash) => ({ hash, kind }))),
    ),
    ...artefact.domains.flatMap(({ certificates = [] }) =>
      certificates.map(({ chain }) => ({ hash: chain, kind: 'certificate' as const })),
    ),
    ...(artefact.errorPages ?? []).map((hash) => ({ hash, kind: 'errorPages' as const })),
    ...artefact.lists.map((hash) => ({ hash, kind: 'list' as const })),
  ]
  return [...new Map(refs.map((ref) => [partKey(ref), ref])).values()]
}

/** One object as one kind: the same bytes may be invalid as one kind and valid as another. */
export const partKey = ({ kind, hash }: PartRef) => `${kind} ${hash}`

/** The secrets that an artefact refers to. */
export function secretsOf(artefact: Artefact): string[] {
  const keys = artefact.domains.flatMap(({ certificates = [] }) => certificates.map(({ key }) => key))
  const named = Object.values(artefact.secrets)
    .flat()
    .filter((ref) => ref !== undefined)
  return [...new Set([...named, ...keys])]
}

/** Throws with the reason if the part is invalid. */
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
  if (bytes.length > objectBytesMax) throw new Error('it is too long')
  const fits = bytes.length >= 16 && 16 + view.getUint32(8, true) * 8 + view.getUint32(12, true) * 32 === bytes.length
  if (magic !== ipSetMagic || !fits) throw new Error('it is no address list')
  const v4 = view.getUint32(8, true)
  const first = (at: number) => view.getUint32(at, true)
  requireOrder(v4, (i) => [first(16 + i * 8), first(20 + i * 8)])
  const wide = (at: number) => Buffer.from(bytes.subarray(at, at + 16)).toString('hex')
  const base = 16 + v4 * 8
  requireOrder(view.getUint32(12, true), (i) => [wide(base + i * 32), wide(base + i * 32 + 16)])
}

/** Lookups are binary searches: in an unsorted list they would miss addresses that it contains. */
function requireOrder<V extends number | string>(count: number, range: (i: number) => [V, V]): void {
  let last: V | undefined
  for (let i = 0; i < count; i++) {
    const [from, to] = range(i)
    if (from > to || (last !== undefined && from <= last)) throw new Error('its ranges are out of order')
    last = to
  }
}

/** Parses an object's JSON against its schema. Throws with the first error. */
export function parseObject<S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> {
  if (bytes.length > objectBytesMax) throw new Error('it is too long')
  let json: unknown
  try {
    // Strict decoding: nginx reads the same bytes, and the two must not interpret them differently.
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new Error('it is no JSON')
  }
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue?.code === 'unrecognized_keys') throw new Error(`${[...issue.path, issue.keys[0]].join('.')} is unknown`)
  throw new Error(`${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'invalid'}`)
}
