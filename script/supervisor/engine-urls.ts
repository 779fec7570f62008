/** Where a running Breakwater's stores answer, for a backup that begins beside it. Readable by its owner only. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type EngineUrls = { DATABASE_URL: string; CLICKHOUSE_URL: string }

export const enginesFile = (dataFolder: string): string => join(dataFolder, 'secrets', 'engines.json')

export function noteEngines(dataFolder: string, urls: EngineUrls): void {
  const path = enginesFile(dataFolder)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, JSON.stringify(urls), { mode: 0o600 })
}
