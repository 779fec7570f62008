/**
 * The lifetime of an answer for which neither the origin nor a rule sets one: a tenth of its age (RFC 9111, 4.2.2), but
 * not for long. Only for answers that the origin declares public, and for statuses that are the same for every visitor
 * of a URL.
 */
import type { Directives } from './cache-control.ts'

const sameForAll = [405, 410, 414, 501]
/** Statuses of a failing origin: if it marks these as public, it mostly marks everything so. */
const failures = [500, 502, 503, 504]
const secondsMax = 60

/** Returns seconds, or undefined. `modified` and `date` are from the answer's headers, in epoch seconds. */
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
