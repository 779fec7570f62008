/** The origins of a domain, and which of them a request goes to. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import { parseAddress, type RangeSet } from '../lib/address.ts'
import { mayBeOrigin } from './address-policy.ts'

export type Origin = {
  id: number
  host: string
  port: number
  weight: number
  backup: boolean
  tls: boolean
  /** The bytes of the host where it is an address; a name is resolved for each request. */
  bytes: string | undefined
  /** For smooth weighted round robin, of this worker alone; absent until there was a choice. */
  current?: number
  /** Requests of this worker that are under way. */
  active: number
}

export type Origins = { all: Origin[]; balance: ArtefactDomain['balance']; allowed: RangeSet }

/** Leaves out origins that stand where none may. */
export function compileOrigins(domain: ArtefactDomain, allowed: RangeSet): Origins {
  const all: Origin[] = []
  for (const target of domain.origins) {
    const bytes = parseAddress(target.host)
    if (bytes !== undefined && !mayBeOrigin(bytes, allowed)) continue
    const { id, host, port, weight, backup, tls } = target
    all.push({ id, host, port, weight, backup, tls, bytes, active: 0 })
  }
  return { all, balance: domain.balance, allowed }
}

/** A small multiplicative hash, so that one visitor or one URL stays with one origin. */
export function stableHash(text: string): number {
  let hash = 5381
  for (let i = 0; i < text.length; i++) hash = (hash * 33 + text.charCodeAt(i)) % 4294967296
  return hash
}

/**
 * The origins in the order in which they shall be tried, the chosen one first: only those of one kind of connection,
 * because a request cannot change between TLS and plain text when it is tried again. `isDown` are those that failed
 * lately; where all are down, all are tried.
 */
export function orderOrigins(origins: Origins, key: string, isDown: (origin: Origin) => boolean): Origin[] {
  const primary = origins.all.filter((origin) => !origin.backup && !isDown(origin))
  const backup = origins.all.filter((origin) => origin.backup && !isDown(origin))
  const live = primary.length > 0 ? primary : backup.length > 0 ? backup : origins.all
  const first = choose(live, origins.balance, key)
  if (first === undefined) return []
  const others = live.concat(primary.length > 0 ? backup : []).filter((origin) => origin !== first)
  return [first, ...others.filter((origin) => origin.tls === first.tls)]
}

function choose(live: Origin[], balance: Origins['balance'], key: string): Origin | undefined {
  if (live.length < 2) return live[0]
  if (balance === 'leastConnections') {
    let least = live[0]!
    for (const origin of live) if (origin.active * least.weight < least.active * origin.weight) least = origin
    return least
  }
  if (balance === 'roundRobin') return roundRobin(live)
  let total = 0
  for (const origin of live) total += origin.weight
  let at = stableHash(key) % total
  for (const origin of live) {
    at -= origin.weight
    if (at < 0) return origin
  }
  return live[0]
}

/** Smooth weighted round robin: 3:1 gives a, a, b, a. */
function roundRobin(live: Origin[]): Origin {
  let total = 0
  let best = live[0]!
  for (const origin of live) {
    origin.current = (origin.current ?? 0) + origin.weight
    total += origin.weight
    if (origin.current > (best.current ?? 0)) best = origin
  }
  best.current = (best.current ?? 0) - total
  return best
}
