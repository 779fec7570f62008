/** The time since which the nodes' exact counters are available: always, or from the day after an upgrade. */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from '../events/store.ts'

/** Epoch seconds. Queried once: it changes only with a restore, for which everything is stopped. */
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
