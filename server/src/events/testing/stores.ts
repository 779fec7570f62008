/**
 * Engines that belong to one test file, which may kill them. Other tests share those of the test run
 * (`testing/server.ts`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { type DatabaseHandle, openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { startClickHouse } from '../../engines/clickhouse.ts'
import type { Engine } from '../../engines/engine.ts'
import { startPostgres } from '../../engines/postgres.ts'
import { patienceMs } from '../../testing/patience.ts'
import { migrateEvents } from '../migrate.ts'
import { openEvents } from '../store.ts'

export type TestStores = {
  database: DatabaseHandle
  events: ClickHouseClient
  /** Kills the event store without warning. */
  killEvents(): Promise<void>
  /** Starts it again on the same folder. */
  startEvents(): Promise<void>
  close(): Promise<void>
}

export async function startStores(): Promise<TestStores> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
  const startEvents = () => startClickHouse({ dataFolder, memoryMaxBytes: 1e9 })
  const [postgres, first] = await Promise.all([startPostgres({ dataFolder, durable: false }), startEvents()])
  let clickhouse: Engine = first
  await migrate(postgres.url)
  const database = openDatabase(postgres.url, { patienceMs })
  const events = openEvents(clickhouse.url)
  await migrateEvents(events)
  return {
    database,
    events,
    async killEvents() {
      process.kill(clickhouse.pid, 'SIGKILL')
      await clickhouse.exited
    },
    async startEvents() {
      clickhouse = await startEvents()
    },
    async close() {
      await Promise.all([events.close(), database.close()])
      await Promise.all([clickhouse.stop(), postgres.stop()])
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
