/**
 * A request target as it was sent, and the ways in which origins read it. The edge decides on the canonical path; the
 * origin gets the target byte for byte and may read it otherwise: it may keep `//`, `..` or `%2F` as they are, or drop
 * what stands behind a `;`. Pure: the same in nginx and in a simulation.
 */
import { percentDecoded, resolvedPath } from './canonical.ts'

/** Whether a target says no more and nothing else than its canonical path and query. */
export function isPlainTarget(target: string, path: string, query: string): boolean {
  if (target === path) return query === ''
  return query !== '' && target.length === path.length + 1 + query.length && target.substring(0, path.length) === path
}

/** The path of a target, without its query. */
export function rawPathOf(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.substring(0, mark)
}

/** Each segment without what follows a `;`, as servlet containers read it. */
function withoutParameters(path: string): string {
  return path
    .split('/')
    .map((segment) => {
      const at = segment.indexOf(';')
      return at < 0 ? segment : segment.substring(0, at)
    })
    .join('/')
}

/** Keeps an encoded slash apart from a real one while everything else is decoded. */
function decodedButSlashes(raw: string): string {
  const parts: string[] = []
  for (const part of raw.split('%2F')) for (const piece of part.split('%2f')) parts.push(percentDecoded(piece))
  return parts.join('%2F')
}

/** The other readings of a target's path; most are plain, and none is computed for them. */
export function readingsOf(target: string, path: string, isPlain: boolean): string[] | undefined {
  return isPlain && path.indexOf(';') < 0 ? undefined : otherReadings(rawPathOf(target), path)
}

/**
 * What an origin may take a raw path for, other than its canonical form: nothing where all origins agree. Escapes that
 * do not change the structure of a path (`%61` for `a`) are no other reading.
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
