/** The live log: server-sent events over fetch, because an EventSource cannot carry the Authorization header. */
import { type AccessLogRow, accessLog } from '@breakwater/contract/logs/access.ts'
import type { LogFilter } from '@breakwater/contract/logs/filter.ts'
import { useEffect, useReducer } from 'react'
import { send } from '../platform/browser.ts'
import { Fault } from '../platform/fault.ts'
import { readEvents } from './read-events.ts'

/** The most rows that are kept, and the delay before reconnecting. */
export const rowsMax = 500
const againMs = 2_000

export type Live = {
  rows: AccessLogRow[]
  state: 'connecting' | 'on' | 'lost'
  lagMs: number
  dropped: number
}
type Event =
  | { type: 'row'; rows: AccessLogRow[] }
  | { type: 'lag'; lagMs: number; dropped: number }
  | { type: 'state'; state: Live['state'] }
  | { type: 'clear' }

const start: Live = { rows: [], state: 'connecting', lagMs: 0, dropped: 0 }

function reduce(live: Live, event: Event): Live {
  if (event.type === 'row') {
    const rows = [...event.rows, ...live.rows].sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
    return { ...live, rows: rows.slice(0, rowsMax) }
  }
  // The server counts what it skipped since its last report.
  if (event.type === 'lag') return { ...live, lagMs: event.lagMs, dropped: live.dropped + event.dropped }
  if (event.type === 'state') return { ...live, state: event.state }
  return { ...start, state: live.state }
}

export function useLiveLog(filter: LogFilter, isPaused: boolean): [Live, () => void] {
  const [live, tell] = useReducer(reduce, start)
  const text = JSON.stringify(filter)
  useEffect(() => {
    if (isPaused) return
    const stop = new AbortController()
    void follow(text, stop.signal, tell)
    return () => stop.abort()
  }, [text, isPaused])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new filter means new rows
  useEffect(() => tell({ type: 'clear' }), [text])
  return [live, () => tell({ type: 'clear' })]
}

async function follow(filter: string, signal: AbortSignal, tell: (event: Event) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send.raw(accessLog.live, { query: { filter } }, signal)
      tell({ type: 'state', state: 'on' })
      for await (const { event, data } of readEvents(response.body!)) {
        if (event === 'row') tell({ type: 'row', rows: JSON.parse(data) as AccessLogRow[] })
        if (event === 'lag') tell({ type: 'lag', ...(JSON.parse(data) as { lagMs: number; dropped: number }) })
      }
    } catch (error) {
      if (signal.aborted) return
      // Retrying does not change a refusal.
      if (error instanceof Fault && error.status >= 400 && error.status < 500)
        return tell({ type: 'state', state: 'lost' })
    }
    if (signal.aborted) return
    tell({ type: 'state', state: 'lost' })
    await new Promise((done) => setTimeout(done, againMs))
  }
}
