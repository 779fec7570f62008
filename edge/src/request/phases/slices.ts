/**
 * Slices of large objects. nginx' slice module asks for them on the outer hop, one after the other; here is what the inner
 * hop makes of the origin's answer to each. The first decides whether the object can be sliced at all; the others must be
 * of its version, or the answer that is under way breaks off.
 */
import { markWhole, noteChange, noteVersion, sliceVersion } from '../delivery/slices.ts'
import type { CachedObject } from './cached-object.ts'

/** Whether the outer hop asks for a slice: it asks for ranges of nothing else. */
export const isSlice = (): boolean => ngx.var.http_range !== undefined

/** Whether it asks for a slice that continues an answer. */
export const isLaterSlice = (): boolean => ngx.var.http_x_bw_version !== undefined

/** What becomes of an origin's answer to a slice: passed on, broken off, or asked for anew as a whole. */
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
  // Of an empty object there is no range either.
  const isEmpty = status === 416 && (ngx.var.http_range as string).startsWith('bytes=0-')
  if (status !== 200 && status !== 206 && !isEmpty) return 'pass'
  markWhole(key)
  return 'whole'
}
