/**
 * The minimum rate of clients, checked every few seconds. Pure: measurements are passed in.
 *
 * A client that sends a body or reads a response more slowly occupies a connection, a buffer and maybe an origin for
 * nothing. Slowness alone is not a fault: a check counts only if the client is what everything else waits for.
 */

/** Bytes per second. */
export const minRate = 500
/** Seconds between two checks of one request; the first check comes at least this long after the request began. */
export const lookEvery = 5
/**
 * Slow checks until the connection is closed: for a body after 10 to 15 s, for a reader, who may be in a tunnel, after
 * 25 to 30 s.
 */
export const slowBodyLooks = 2
export const slowReaderLooks = 4

/**
 * The state of one client's request: bytes and time (epoch seconds) at the last check, and how many checks were slow.
 */
export type Pace = { at: number; bytes: number; slow: number }

/** Whether the request waits for its client: no, certainly, or unknown because the length was not sent. */
export type Waiting = 'no' | 'yes' | 'unknown'

/**
 * Notes a check. Returns whether the client was slow in `looks` of them. For a body without a length nobody can tell
 * whether it ended or its client stopped: only checks with a few bytes count, and a full stop is left to
 * client_body_timeout.
 */
export function isTooSlow(pace: Pace, now: number, bytes: number, waiting: Waiting, looks: number): boolean {
  const gained = bytes - pace.bytes
  const isSlow = gained < minRate * (now - pace.at)
  pace.at = now
  pace.bytes = bytes
  if (waiting === 'no') pace.slow = 0
  else if (waiting === 'yes' || gained > 0) pace.slow = isSlow ? pace.slow + 1 : 0
  return pace.slow >= looks
}
