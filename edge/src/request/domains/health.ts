/** Origins that failed lately, seen by all workers of this node: after two failures an origin rests for ten seconds. */
import type { Origin } from './origins.ts'

const dict = ngx.shared.peers!

const failuresMax = 2
const restSeconds = 10

/** By the domain's own entry too: who points at another's origin in a wrong way takes it from nobody else. */
const keyOf = (origin: Origin): string => `${origin.id}:${origin.host}:${origin.port}`

export function isDown(origin: Origin): boolean {
  const [failures] = dict.get(keyOf(origin))
  return failures !== undefined && (failures as number) >= failuresMax
}

export function failed(origin: Origin): void {
  dict.incr(keyOf(origin), 1, 0, restSeconds)
}
