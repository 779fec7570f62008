/** nginx forgets `ngx.ctx` when a request jumps to another location. It is put aside here and taken back there. */

import type { EdgeRequest } from '../guard.ts'
import type { HostEntry } from '../sites/current.ts'

/** Kept for a request's later phases. */
export type RequestContext = {
  entry: HostEntry
  request: EdgeRequest
  /** On the cached route: the object asked for, where a 304 renewed its headers. */
  overlayKey: string | undefined
  /** Why it was refused, as in the log row. */
  cause: number
}

const kept: Record<number, object> = {}
let last = 0

export function keepContext(): void {
  last = last >= 1_000_000_000 ? 1 : last + 1
  kept[last] = ngx.ctx
  ngx.var.bw_context = last
}

/** Taken back at once by the location that was jumped to, so that nothing stays behind. */
export function takeContext(): void {
  const slot = tonumber(ngx.var.bw_context)
  if (slot === undefined) return
  const context = kept[slot]
  if (context === undefined) return
  delete kept[slot]
  ngx.ctx = context
  ngx.var.bw_context = ''
}
