/** What a run was begun with: the next one goes on with its processes only where it would have started the very same. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortName, Settings } from './settings.ts'

type Ports = Record<PortName, number>
type Run = { stamp: string; ports: Ports }

const root = join(import.meta.dirname, '../..')
/** All of the program that the parts read when they start. */
const PROGRAM = ['contract/src', 'server/src', 'server/migrations', 'edge/src', 'edge/lua', 'console/dist']
const DECIDES = /^(BREAKWATER_|EDGE_|NODE_|PG|TZ$|HOST$|PATH$)/

/** Changes with the settings, with whatever of the environment reaches a part, and with the program. */
export function stampOf(settings: Settings): string {
  const environment = Object.entries(process.env).filter(([name]) => DECIDES.test(name))
  const { asked, databaseUrl, clickhouseUrl, demo } = settings
  const facts = [asked, databaseUrl, clickhouseUrl, demo, environment.sort(), process.version, programDate()]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

function programDate(): number {
  const files = PROGRAM.flatMap((folder) => filesOf(join(root, folder)))
  return Math.max(...[...files, join(root, 'package-lock.json')].map((path) => statSync(path).mtimeMs))
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []))
}

const pathOf = (folder: string) => join(folder, 'begun-with')

export function readRun(folder: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(folder), 'utf8')) as Run
  } catch {
    return undefined
  }
}

export function writeRun(folder: string, run: Run): void {
  writeFileSync(pathOf(folder), JSON.stringify(run), { mode: 0o600 })
}
