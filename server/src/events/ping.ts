/** Checks that the event store answers queries, not just connections. */
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from './store.ts'

const patienceMs = 3_000

/** Runs a query that needs the store's tables. Rejects if there is no response in time. */
export async function pingEvents(events: ClickHouseClient): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the event store did not answer within ${patienceMs} ms`)), patienceMs)
  })
  try {
    await Promise.race([queryRows(events, 'SELECT count() FROM migrations', {}), late])
  } finally {
    clearTimeout(timer)
  }
}
