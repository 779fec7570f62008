/**
 * How long an answer lives for which neither the origin nor a rule has a time: a tenth of its age (RFC 9111, 4.2.2), and
 * not for long. Only of what the origin calls public, and of statuses that say the same of a URL to whoever asks.
 */
import type { Directives } from './cache-control.ts'

const sameForAll = [405, 410, 414, 501]
/** Of an origin that fails: what it calls public then is mostly what it calls everything. */
const failures = [500, 502, 503, 504]
const secondsMax = 60

/** Seconds, or nothing. `modified` and `date`: what the answer says of itself, in epoch seconds. */
export function heuristicLife(
  status: number,
  control: Directives,
  modified: number | undefined,
  date: number,
): number | undefined {
  const mayLive = control.public !== undefined ? !failures.includes(status) : sameForAll.includes(status)
  if (!mayLive || modified === undefined) return undefined
  const life = Math.floor((date - modified) / 10)
  return life < 1 ? undefined : Math.min(secondsMax, life)
}
