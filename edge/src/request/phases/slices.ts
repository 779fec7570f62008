/**
 * Slices of large objects. nginx's slice module requests them on the outer hop, one after the other; this is how the
 * inner hop handles the origin's response to each. The first decides whether the object can be sliced at all; the
 * others must be of the same version, or the current response breaks off.
 */
import { markWhole, noteChange, noteVersion, sliceVersion } from '../delivery/slices.ts'
import type { CachedObject } from './cached-object.ts'

/** Whether the outer hop asks for a slice: it sends ranges for nothing else. */
export const isSlice = (): boolean => ngx.var.http_range !== undefined

/** Whether it asks for a slice after the first one of a response. */
export const isLaterSlice = (): boolean => ngx.var.http_x_bw_version !== undefined

/** How an origin's response to a slice is handled: passed on, broken off, or fetched again as a whole. */
export type SliceVerdict = 'pass' | 'break' | 'whole'

export function judgeSlice(
  { object, key }: CachedObject,
  status: number,
  headers: Record<string, string | undefined>,
): SliceVerdict {
  const version = status === 206 ? sliceVersion(headers) : undefined
  const begun = ngx.var.http_x_bw_version as string | undefined
  if (begun !== undefined) {
    if (version === begun || status === 304) return 'pass'
    if (status < 500) noteChange(object, key, version)
    return 'break'
  }
  if (version !== undefined) {
    noteVersion(object, key, version)
    return 'pass'
  }
  // An empty object has no ranges either.
  const isEmpty = status === 416 && (ngx.var.http_range as string).startsWith('bytes=0-')
  if (status !== 200 && status !== 206 && !isEmpty) return 'pass'
  markWhole(key)
  return 'whole'
}
