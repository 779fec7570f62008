import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Engine, EngineOptions } from './engine.ts'
import { endProcess, type ProcessIdentity } from './process-identity.ts'
import { secretFile } from './secret-file.ts'

const GIB = 1 << 30

/**
 * A third of the machine's memory, between what the engine needs at least and what an embedded one should take at most.
 */
const defaultMemoryMaxBytes = () => Math.min(8 * GIB, Math.max(GIB, Math.floor(totalmem() / 3)))

/**
 * Starts the embedded ClickHouse of the data folder (see chdbd.ts) on a port of 127.0.0.1 that stays the same as long
 * as it is free. The caller holds the data folder's lock, so an engine of an earlier run is an orphan and is stopped.
 */
export async function startClickHouse(
  options: EngineOptions & { memoryMaxBytes?: number | undefined },
): Promise<Engine> {
  const folder = join(options.dataFolder, 'clickhouse')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const password = secretFile(join(options.dataFolder, 'secrets', 'clickhouse'))
  await endOrphan(folder)
  const { log } = options
  const entry = fileURLToPath(new URL('./chdbd.ts', import.meta.url))
  const memoryMaxBytes = String(options.memoryMaxBytes ?? defaultMemoryMaxBytes())
  const child = spawn(process.execPath, [entry, options.dataFolder, memoryMaxBytes, ...(log ? ['outlive'] : [])], {
    // A process group of its own, so that Ctrl-C in a terminal does not end it before the processes that write to it.
    detached: true,
    // Every running statement holds one of these threads; with Node's default of four, three reports would stop the
    // ingest.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    stdio: ['ignore', log?.file ?? 'pipe', log?.file ?? 'pipe', 'ipc'],
  })
  let last = ''
  const note = (line: string) => {
    if (line.includes('Error') || line.includes('Exception')) last = line
  }
  for (const input of [child.stdout, child.stderr]) if (input) createInterface({ input }).on('line', note)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`))
    child.once('close', (code, signal) => {
      if (log) note(log.last())
      resolve(signal ? `ended by ${signal}` : `ended with code ${code}. ${last}`.trim())
    })
  })
  const port = await Promise.race([
    new Promise<number>((resolve) => child.once('message', (ready: { port: number }) => resolve(ready.port))),
    exited.then((how) => Promise.reject(new Error(`ClickHouse ${how}`))),
  ])
  return {
    url: `http://breakwater:${password}@127.0.0.1:${port}`,
    pid: child.pid!,
    exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function endOrphan(folder: string) {
  let noted: ProcessIdentity
  try {
    noted = JSON.parse(readFileSync(join(folder, 'process.json'), 'utf8')) as ProcessIdentity
  } catch {
    return
  }
  await endProcess(noted, ['SIGTERM', 'SIGKILL'], 12_000)
}
