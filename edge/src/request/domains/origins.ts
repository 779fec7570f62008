/** The origins of a domain, and which of them a request goes to. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import { parseAddress, type RangeSet } from '../lib/address.ts'
import { mayBeOrigin } from '../lib/address-policy.ts'
import { own } from '../nginx/node.ts'

export type Origin = {
  id: number
  /** The key for this node's health records. */
  key: string
  /** Whether active health checks are on, too. */
  isChecked: boolean
  host: string
  port: number
  weight: number
  backup: boolean
  tls: boolean
  /** The bytes of the host if it is an address; a name is resolved for each request. */
  bytes: string | undefined
  /** State of the smooth weighted round robin, per worker; absent until the first choice. */
  current?: number
  /** Requests of this worker in progress. */
  active: number
}

export type Origins = { all: Origin[]; balance: ArtefactDomain['balance']; allowed: RangeSet }

/** Includes the id of the domain's entry: a customer's misconfigured origin does not take it down for others. */
const healthKey = (id: number, host: string, port: number): string => `${id}:${host}:${port}`

/** Leaves out origins at forbidden addresses. `mapped` is the port for all of them instead of their own. */
export function compileOrigins(
  domain: ArtefactDomain,
  allowed: RangeSet,
  isChecked: boolean,
  mapped: number | undefined,
): Origins {
  const all: Origin[] = []
  for (const target of domain.origins) {
    const { id, host, weight, backup, tls } = target
    const port = mapped ?? target.port
    const bytes = parseAddress(host)
    if (bytes !== undefined && !mayBeOrigin(bytes, port, allowed, own())) continue
    all.push({ id, key: healthKey(id, host, port), isChecked, host, port, weight, backup, tls, bytes, active: 0 })
  }
  return { all, balance: domain.balance, allowed }
}

/** A small multiplicative hash that keeps one visitor or one URL on one origin. */
function stableHash(text: string): number {
  let hash = 5381
  for (let i = 0; i < text.length; i++) hash = (hash * 33 + text.charCodeAt(i)) % 4294967296
  return hash
}

/**
 * The origins in the order in which to try them, the chosen one first. Only those with the same kind of connection,
 * because a request cannot switch between TLS and plain text on a retry. `isDown` skips those that failed recently; if
 * all are down, all are tried. `takeProbe` returns the one to try first, to see whether it is back.
 */
export function orderOrigins(
  origins: Origins,
  key: string,
  isDown: (origin: Origin) => boolean,
  takeProbe: () => Origin | undefined,
): Origin[] {
  const primary = origins.all.filter((origin) => !origin.backup && !isDown(origin))
  const backup = origins.all.filter((origin) => origin.backup && !isDown(origin))
  const live = primary.length > 0 ? primary : backup.length > 0 ? backup : origins.all
  const first = takeProbe() ?? choose(live, origins.balance, key)
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
  return balance === 'random' ? randomly(live) : rendezvous(live, stableHash(key))
}

function randomly(live: Origin[]): Origin {
  let total = 0
  for (const origin of live) total += origin.weight
  let at = math.random() * total
  for (const origin of live) {
    at -= origin.weight
    if (at < 0) return origin
  }
  return live[0]!
}

/**
 * Weighted rendezvous hashing: each origin draws a number for the key, and the highest serves it. If an origin is
 * removed, only its keys move, to all others by weight; if one is added, it takes its share and nothing else moves.
 */
function rendezvous(live: Origin[], key: number): Origin {
  let best = live[0]!
  let highest = -1
  for (const origin of live) {
    const drawn = (mixed((key + multiplied(origin.id, 2654435769)) % whole) + 0.5) / whole
    const score = -origin.weight / Math.log(drawn)
    if (score > highest) {
      highest = score
      best = origin
    }
  }
  return best
}

const whole = 4294967296

/** The lower 32 bits of the product of two 32-bit numbers, which a double could not hold. */
const multiplied = (a: number, b: number): number =>
  (((Math.floor(a / 65536) * b) % 65536) * 65536 + (a % 65536) * b) % whole

const halvesSwapped = (a: number): number => (a % 65536) * 65536 + Math.floor(a / 65536)

/** Mixes the bits: every input bit changes half of the output bits. */
const mixed = (a: number): number =>
  multiplied(halvesSwapped(multiplied(halvesSwapped(multiplied(a, 2654435761)), 2246822507)), 3266489909)

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
