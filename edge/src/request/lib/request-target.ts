/**
 * A request target as it was sent, and the ways in which origins read it. The edge decides on the canonical path. The
 * origin gets the target byte for byte and may read it differently: it may keep `//`, `..` or `%2F` as they are, or
 * drop what follows a `;`. Pure: the same in nginx and in a simulation.
 */
import { percentDecoded, resolvedPath } from './canonical.ts'

/** Whether a target is exactly its canonical path and query. */
export function isPlainTarget(target: string, path: string, query: string): boolean {
  if (target === path) return query === ''
  return query !== '' && target.length === path.length + 1 + query.length && target.substring(0, path.length) === path
}

/** The path of a target, without its query. */
export function rawPathOf(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.substring(0, mark)
}

/** Removes what follows a `;` in each segment, as servlet containers do. */
function withoutParameters(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      const at = segment.indexOf(';')
      return at < 0 ? segment : segment.substring(0, at)
    })
    .join('/')
}

/** Decodes everything except encoded slashes, which stay distinct from real ones. */
function decodedButSlashes(raw: string): string {
  const parts: string[] = []
  for (const part of raw.split('%2F')) for (const piece of part.split('%2f')) parts.push(percentDecoded(piece))
  return parts.join('%2F')
}

/** The other readings of a target's path; skipped for plain targets, which most are. */
export function readingsOf(target: string, path: string, isPlain: boolean): string[] | undefined {
  return isPlain && path.indexOf(';') < 0 ? undefined : otherReadings(rawPathOf(target), path)
}

/**
 * How an origin may read a raw path, other than in its canonical form. Returns undefined if all origins agree. Escapes
 * that do not change the structure of a path (`%61` for `a`) do not count as another reading.
 */
export function otherReadings(raw: string, canonical: string): string[] | undefined {
  const found: string[] = []
  const add = (reading: string | undefined): void => {
    if (reading !== undefined && reading !== canonical && !found.includes(reading)) found.push(reading)
  }
  const decoded = percentDecoded(raw)
  add(decoded)
  const kept = decodedButSlashes(raw)
  if (kept !== decoded) {
    add(kept)
    add(resolvedPath(kept))
  }
  if (decoded.indexOf(';') >= 0) add(resolvedPath(withoutParameters(decoded)))
  return found.length === 0 ? undefined : found
}
