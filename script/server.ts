/** Breakwater on one machine: starts all parts, keeps them running, and stops them in reverse order. See --help. */
import type { Kept } from './supervisor/keep.ts'
import { lockFolder } from './supervisor/lock.ts'
import { say } from './supervisor/screen.ts'
import { HELP, readSettings } from './supervisor/settings.ts'
import { startAll } from './supervisor/start.ts'

const kept: Kept[] = []
const stopping = new AbortController()
// Whoever reads what is said may go away: everything is kept, and stopped in order, all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (settings.help) {
    console.log(HELP)
    return 0
  }
  await lockFolder(settings.dataFolder)
  const asked = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Whoever asks twice cannot wait. What is left behind is found and stopped by the next start.
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
  for (const part of kept.reverse()) {
    await part.stop().catch((error: Error) => say(`${part.name}: ${error.message}`))
    say(`${part.name} stopped`)
  }
}

try {
  process.exit(await main())
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
