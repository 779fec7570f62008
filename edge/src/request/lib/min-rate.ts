/**
 * The least rate of clients, judged at looks some seconds apart. Pure: what is measured is handed in.
 *
 * A client that sends a body or reads an answer slower than this holds a connection, a buffer and maybe an origin for
 * nothing. Slow by itself is no fault: a look counts only where the client is what everybody waits for.
 */

/** Bytes a second. */
export const minRate = 500
/** Seconds between two looks at one request; the first look comes this long after the request, at the earliest. */
export const lookEvery = 5
/** Slow looks until the connection is closed: a body after 10 to 15 s, a reader, who may be in a tunnel, after 25 to 30 s. */
export const slowBodyLooks = 2
export const slowReaderLooks = 4

/** What is known of one client's request: bytes and time (epoch seconds) of the last look, and how many looks were slow. */
export type Pace = { at: number; bytes: number; slow: number }

/** How the client's part stands: all done, in its hands for sure, or unknown as the length was not said. */
export type Waiting = 'no' | 'yes' | 'unknown'

/**
 * Notes a look and returns whether the client was slow at so many. Of a body without a length nobody can tell whether
 * it ended or its client stopped: only looks with a few bytes count, and a full stop is left to client_body_timeout.
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
