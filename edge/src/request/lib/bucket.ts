/**
 * A store of numbers that expire: nginx's shared dictionary, or a Map in a simulation.
 * @noSelf
 */
export interface Counters {
  get(key: string): number | undefined
  set(key: string, value: number, ttlSeconds: number): void
}

/**
 * A leaky bucket (GCRA). Its whole state is one number: the time in seconds at which it will be empty, undefined if it
 * is empty. Returns that number after taking one more, or undefined if there is no room for it.
 */
export function levelAfter(level: number | undefined, now: number, rate: number, burst: number): number | undefined {
  const emptyAt = Math.max(level ?? now, now) + 1 / rate
  return emptyAt - now > (burst + 1) / rate + 1e-9 ? undefined : emptyAt
}

/** Seconds for which a bucket's level is kept. */
export const levelSeconds = (rate: number, burst: number): number => (burst + 1) / rate + 1

/**
 * Takes one from a bucket in a store. Returns false if there is no room. Two workers may read the same level and let
 * one request too many through; a lock for each request would cost more.
 */
export function takeFrom(counters: Counters, now: number, key: string, rate: number, burst: number): boolean {
  const level = levelAfter(counters.get(key), now, rate, burst)
  if (level === undefined) return false
  counters.set(key, level, levelSeconds(rate, burst))
  return true
}
