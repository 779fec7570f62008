/** Breakwater on one machine: starts all parts, keeps them running, and stops them in reverse order. See --help. */
import { chooseEdgeDomain } from './supervisor/edge-domain.ts'
import type { Kept } from './supervisor/keep.ts'
import { lockFolder, takeOver } from './supervisor/lock.ts'
import { say } from './supervisor/screen.ts'
import { HELP, readSettings } from './supervisor/settings.ts'
import { startAll } from './supervisor/start.ts'

const kept: Kept[] = []
const stopping = new AbortController()
// The reader of the output may go away: all parts are still kept running, and stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (settings.help) {
    console.log(HELP)
    return 0
  }
  await (settings.takeOver ? takeOver : lockFolder)(settings.dataFolder)
  // The next release takes over: everything continues without this process.
  process.on('SIGUSR2', () => {
    say('handed over to the next release')
    process.exit(0)
  })
  const terminal = process.stdin.isTTY && process.stdout.isTTY && { input: process.stdin, output: process.stdout }
  const edgeDomain = await chooseEdgeDomain({
    dataFolder: settings.dataFolder,
    ofEnvironment: process.env.BREAKWATER_EDGE_DOMAIN,
    ofCommandLine: settings.edgeDomain,
    terminal: terminal || undefined,
  })
  // The parts read it from there, and the next start compares it.
  if (edgeDomain) process.env.BREAKWATER_EDGE_DOMAIN = edgeDomain
  const asked = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second signal means: do not wait. The next start finds and stops what is left behind.
      if (stopping.signal.aborted) process.exit(130)
      stopping.abort()
    })
  }
  try {
    await startAll(settings, kept, stopping.signal)
    await asked
    return 0
  } catch (error) {
    if (stopping.signal.aborted) return 130
    throw error
  } finally {
    await stopAll()
  }
}

async function stopAll() {
  stopping.abort()
  if (kept.length) say('stopping')
  // All serving parts drain at the same time, so that the longest request decides how long it takes; the databases stop
  // last.
  const isEngine = ({ name }: Kept) => name === 'postgres' || name === 'clickhouse'
  for (const parts of [kept.filter((part) => !isEngine(part)), kept.filter(isEngine)]) {
    const stops = parts.reverse().map((part) => ({ name: part.name, stopped: part.stop() }))
    for (const { stopped } of stops) stopped.catch(() => undefined)
    for (const { name, stopped } of stops) {
      await stopped.catch((error: Error) => say(`${name}: ${error.message}`))
      say(`${name} stopped`)
    }
  }
}

try {
  process.exit(await main())
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
