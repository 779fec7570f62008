/**
 * Applies the numbered event migrations that a store lacks. Every statement is idempotent, so two processes may run
 * this concurrently.
 */
import { readdir, readFile } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from './store.ts'

const folder = new URL('../../event-migrations/', import.meta.url)

/** Migrates the event store to the newest schema. Returns the names of the migrations it applied. */
export async function migrateEvents(events: ClickHouseClient): Promise<string[]> {
  await events.command({
    query: `create table if not exists migrations (name String, appliedAt DateTime('UTC') default now())
            engine = ReplacingMergeTree order by name settings fsync_after_insert = 1, fsync_part_directory = 1`,
  })
  const rows = await queryRows<{ name: string }>(events, 'select distinct name from migrations', {})
  const applied = new Set(rows.map((row) => row.name))
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !applied.has(name)).sort()
  for (const name of names) await applyOne(events, name)
  return names
}

async function applyOne(events: ClickHouseClient, name: string): Promise<void> {
  const text = await readFile(new URL(name, folder), 'utf8')
  try {
    for (const query of splitStatements(text)) await events.command({ query })
    await events.insert({ table: 'migrations', values: [{ name }], columns: ['name'], format: 'JSONEachRow' })
  } catch (error) {
    throw new Error(`event migration ${name} failed`, { cause: error })
  }
}

/** Statements end with a semicolon at the end of a line; ClickHouse accepts one at a time. */
export function splitStatements(text: string): string[] {
  return text
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
