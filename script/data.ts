/**
 * Operations on all data of an installation: `backup`, `verify`, `restore`, `move-data`, `rotate-key`. Uses the engines
 * of a running Breakwater, or starts the embedded ones for the duration.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { startClickHouse } from '../server/src/engines/clickhouse.ts'
import type { Engine } from '../server/src/engines/engine.ts'
import { startPostgres } from '../server/src/engines/postgres.ts'
import { type EngineUrls, readEngines } from './supervisor/engine-urls.ts'
import { AlreadyRuns, lockFolder } from './supervisor/lock.ts'

const [command = '', ...words] = process.argv.slice(2)
const usage: Record<string, string> = {
  backup: 'script/backup <file>              one encrypted file of everything, while Breakwater runs or not',
  verify: 'script/backup --verify <file>     reads all of a backup',
  restore: 'script/restore <file>             fills an empty BREAKWATER_DATA (or empty databases of your own)',
  'rotate-key':
    'script/rotate-key [--finish | --signing]   a new master key; the end of the old one; a new key that signs',
  'move-data':
    'script/move-data <DATABASE_URL> <CLICKHOUSE_URL>   copies the embedded databases into your own, empty ones',
}
const isFitting =
  command === 'rotate-key'
    ? words.length === 0 || (words.length === 1 && /^--(finish|signing)$/.test(words[0] ?? ''))
    : words.length === (command === 'move-data' ? 2 : 1)
if (!(command in usage) || !isFitting) {
  console.error(`usage:\n${Object.values(usage)
    .map((line) => `  ${line}`)
    .join('\n')}

  BREAKWATER_DATA                     the installation's folder   ./data
  BREAKWATER_BACKUP_PASSPHRASE        what a backup is encrypted with; or BREAKWATER_BACKUP_PASSPHRASE_FILE`)
  process.exit(2)
}

const dataFolder = resolve(process.env.BREAKWATER_DATA || 'data')
const started: Engine[] = []

/** URLs of the stores: the operator's own, those of a running Breakwater, or embedded ones started here. */
async function stores(): Promise<EngineUrls> {
  const { DATABASE_URL = '', CLICKHOUSE_URL = '' } = process.env
  try {
    await lockFolder(dataFolder)
  } catch (error) {
    const running =
      error instanceof AlreadyRuns && (command === 'backup' || command === 'rotate-key')
        ? readEngines(dataFolder)
        : undefined
    if (!running) throw error
    return running
  }
  const embedded = async (start: typeof startPostgres | typeof startClickHouse): Promise<string> => {
    const engine = await start({ dataFolder })
    started.push(engine)
    return engine.url
  }
  return {
    DATABASE_URL: DATABASE_URL || (await embedded(startPostgres)),
    CLICKHOUSE_URL: CLICKHOUSE_URL || (await embedded(startClickHouse)),
  }
}

function run(urls: Partial<EngineUrls>): Promise<number> {
  const isRotation = command === 'rotate-key'
  const program = join(import.meta.dirname, isRotation ? '../server/src/main.ts' : '../server/src/backup/main.ts')
  const paths = isRotation || command === 'move-data' ? words : words.map((word) => resolve(word))
  const child = spawn(process.execPath, [program, command, ...paths], {
    stdio: 'inherit',
    env: { ...process.env, ...urls, BREAKWATER_DATA: dataFolder },
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code) => done(code ?? 1))
  })
}

let code = 1
try {
  code = await run(command === 'verify' ? {} : await stores())
} catch (error) {
  console.error((error as Error).message)
} finally {
  for (const engine of started.reverse()) await engine.stop()
}
process.exit(code)
