/** URLs of a running Breakwater's stores, for a backup that is started next to it. Readable by the owner only. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type EngineUrls = { DATABASE_URL: string; CLICKHOUSE_URL: string }

export const enginesFile = (dataFolder: string): string => join(dataFolder, 'secrets', 'engines.json')

/** Returns undefined if no run has come that far yet. */
export function readEngines(dataFolder: string): EngineUrls | undefined {
  const path = enginesFile(dataFolder)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as EngineUrls) : undefined
}

export function noteEngines(dataFolder: string, urls: EngineUrls): void {
  const path = enginesFile(dataFolder)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, JSON.stringify(urls), { mode: 0o600 })
}
