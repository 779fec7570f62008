/**
 * Starts the embedded engines once per test run, with a migrated template that each test clones in about twenty
 * milliseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/migrate.ts'
import { startClickHouse } from '../engines/clickhouse.ts'
import { startPostgres } from '../engines/postgres.ts'

export const templateName = 'breakwater_template'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
    clickhouseUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
  const [postgres, clickhouse] = await Promise.all([
    startPostgres({ dataFolder: join(folder, 'postgres'), durable: false }),
    startClickHouse({ dataFolder: join(folder, 'clickhouse'), durable: false }),
  ])
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`create database ${templateName}`)
  await admin.end()
  await migrate(databaseOf(postgres.url, templateName))
  project.provide('databaseUrl', postgres.url)
  project.provide('clickhouseUrl', clickhouse.url)
  return async () => {
    await Promise.all([postgres.stop(), clickhouse.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same server with another database. */
export function databaseOf(url: string, name: string): string {
  return url.replace(/^(postgres:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}
