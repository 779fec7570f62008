/**
 * A store of numbers that expire: nginx's shared dictionary, or a Map in a simulation.
 * @noSelf
 */
export interface Counters {
  get(key: string): number | undefined
  set(key: string, value: number, ttlSeconds: number): void
}

/**
 * A leaky bucket per key (GCRA). One number a key: when the bucket will be empty, in seconds.
 * Two workers may read the same level and let one request too many through; a lock for each request would cost more.
 */
export function takeFrom(counters: Counters, now: number, key: string, rate: number, burst: number): boolean {
  const emptyAt = Math.max(counters.get(key) ?? now, now) + 1 / rate
  const depth = (burst + 1) / rate
  if (emptyAt - now > depth + 1e-9) return false
  counters.set(key, emptyAt, depth + 1)
  return true
}
