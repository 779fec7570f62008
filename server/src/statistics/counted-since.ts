/** From when on the exact counters of the nodes answer: always, or from the day after an upgrade. */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from '../events/store.ts'

/** Epoch seconds. Asked once: it changes only with a restore, which needs everything stopped. */
export function makeCountedSince(events: ClickHouseClient): () => Promise<number> {
  let known: Promise<number> | undefined
  return () => {
    if (!known) {
      known = ask(events)
      known.catch(() => {
        known = undefined
      })
    }
    return known
  }
}

async function ask(events: ClickHouseClient): Promise<number> {
  const [row] = await queryRows<{ since: number }>(
    events,
    'SELECT toUnixTimestamp(max(time)) AS since FROM counted_since_v1',
    {},
  )
  return row?.since ?? 0
}
