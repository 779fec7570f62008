import { join } from 'node:path'
import { type Command, runCommand, startCommand } from './command.ts'
import { noteEngines } from './engine-urls.ts'
import { untilHealthy } from './health.ts'
import { type Kept, keep, type Part, type Running } from './keep.ts'
import { openLog } from './log-file.ts'
import { openNotes } from './orphans.ts'
import { describeParts } from './parts.ts'
import { choosePorts } from './ports.ts'
import { type FirstAccount, say, showAccounts, showAddresses } from './screen.ts'
import type { Settings } from './settings.ts'

/**
 * Starts everything in order: engines, migrations, the control plane's processes, the node. `kept` receives what runs
 * as it comes up, so that whoever stops half-way stops just that. The caller holds the folder's lock.
 */
export async function startAll(settings: Settings, kept: Kept[], signal: AbortSignal): Promise<void> {
  const notes = openNotes(settings.dataFolder)
  const orphans = await notes.endAll()
  if (orphans.length) say(`stopped what an earlier run left: ${orphans.join(', ')}`)
  const ports = await choosePorts(settings.asked)
  const parts = describeParts(settings, ports, notes.folder)

  const logOf = (name: string) => {
    const log = openLog(join(settings.dataFolder, 'logs', `${name}.log`), name)
    return (line: string) => {
      log.write(line)
      if (settings.verbose) console.log(`${name.padEnd(10)} ${line}`)
    }
  }

  async function keepPart(part: Part) {
    signal.throwIfAborted()
    const watch = {
      started: (name: string, pid: number | undefined) => say(`${name} runs (process ${pid})`),
      died: (name: string, how: string, retryMs: number) =>
        say(
          `${name} ${how}; starting it again in ${(retryMs / 1000).toFixed(1)} s (log: ${settings.dataFolder}/logs/${name}.log)`,
        ),
    }
    kept.push(await keep(part, watch))
  }

  const keepEngine = (name: string, start: (onLine: (line: string) => void) => Promise<Running>) => {
    const onLine = logOf(name)
    return keepPart({ name, start: () => start(onLine) })
  }

  const keepCommand = (
    name: string,
    command: Command,
    before?: (onLine: (line: string) => void) => Promise<unknown>,
  ) => {
    const onLine = logOf(name)
    return keepPart({
      name,
      async start() {
        await before?.(onLine)
        const running = startCommand(command, onLine)
        if (running.pid) notes.write(name, running.pid)
        return running
      },
      cleanUp: () => notes.end(name),
    })
  }

  // Side by side; each is waited for although the other failed, so that whatever came up is known and stopped.
  const engines = await Promise.allSettled([
    settings.databaseUrl ? undefined : keepEngine('postgres', parts.postgres),
    settings.clickhouseUrl ? undefined : keepEngine('clickhouse', parts.clickhouse),
  ])
  for (const engine of engines) if (engine.status === 'rejected') throw engine.reason

  noteEngines(settings.dataFolder, parts.urls)

  signal.throwIfAborted()
  say('bringing the databases up to date')
  const migrated = await runCommand(parts.server('migrate'), logOf('migrate'), signal)
  const accounts = answerIn<{ firstAccounts: FirstAccount[] }>(migrated, 'firstAccounts')?.firstAccounts ?? []
  try {
    await keepCommand('api', parts.server('api'))
    await keepCommand('gate', parts.server('gate'))
    await keepCommand('worker', parts.server('worker'))
    const enrolment = await runCommand(parts.server('enrol-local'), logOf('enrol-local'), signal)
    const answer = answerIn<{ token: string; server: string; ca: string }>(enrolment, 'token')
    if (answer) parts.enrol(answer)
    await keepCommand('nginx', parts.nginx, (onLine) => runCommand(parts.agent('render'), onLine, signal))
    await keepCommand('agent', parts.agent())
    await keepCommand('lab', parts.lab.nginx, (onLine) => runCommand(parts.lab.render, onLine, signal))
    if (settings.demo) await keepCommand('demo', parts.server('demo'))
    await untilHealthy(ports, say, signal)
    signal.throwIfAborted()
    showAddresses(ports, settings.dataFolder)
  } finally {
    // Whatever went wrong since: these are in the database now, and nothing shows them again.
    showAccounts(accounts, Boolean(process.env.BREAKWATER_FIRST_PASSWORD))
  }
  console.log('\nCtrl-C stops everything.\n')
}

/** The object with this key that a one-shot command answered, among whatever else it logged. */
function answerIn<Answer>(lines: string[], key: string): Answer | undefined {
  for (const line of lines.toReversed()) {
    try {
      const value: unknown = JSON.parse(line)
      if (value !== null && typeof value === 'object' && key in value) return value as Answer
    } catch {
      // A line of text.
    }
  }
  return undefined
}
