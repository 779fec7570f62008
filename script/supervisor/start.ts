import { join } from 'node:path'
import { type Command, runCommand, startCommand } from './command.ts'
import { noteEngines, readEngines } from './engine-urls.ts'
import { untilHealthy } from './health.ts'
import { type Kept, keep, type Part, type Running } from './keep.ts'
import { untilListening } from './listeners.ts'
import { boundLogs, type LogFile, openLog } from './log-file.ts'
import { openNotes } from './orphans.ts'
import { describeParts } from './parts.ts'
import { choosePorts, NO_TLS } from './ports.ts'
import { programStamps, readRun, settingsStamp, writeRun } from './run-note.ts'
import { type FirstAccount, say, showAccounts, showAddresses } from './screen.ts'
import type { Settings } from './settings.ts'

/** What an upgrade stops before the migrations; for databases and nginx see `staysOn`. */
const LEAVES_FIRST = ['node-api', 'worker', 'demo', 'agent', 'lab']
/** How long the previous API is kept while waiting for the new one to listen. */
const HANDOVER_MS = 60_000

/**
 * Starts everything in order: engines, migrations, the control plane's processes, the node. Processes left by a
 * supervisor that was killed or handed over keep running if they are exactly what would be started. `kept` receives the
 * parts as they come up, so that a start that is aborted halfway can stop just those. The caller holds the folder's
 * lock.
 */
export async function startAll(settings: Settings, kept: Kept[], signal: AbortSignal): Promise<void> {
  const notes = openNotes(settings.dataFolder)
  const stamp = settingsStamp(settings)
  const programs = programStamps()
  const before = readRun(notes.folder)
  const urls = readEngines(settings.dataFolder)
  const goesOn = before?.settings === stamp && urls !== undefined && notes.anyRuns()
  if (!goesOn) {
    const orphans = await notes.endAll()
    if (orphans.length) say(`stopped what an earlier run left: ${orphans.join(', ')}`)
  }
  // The previous run may not know the console's own TLS, and its edge may hold those ports.
  const ports = goesOn ? { ...NO_TLS, ...before.ports } : await choosePorts(settings.asked, settings.ownTlsPort)
  writeRun(notes.folder, { settings: stamp, programs, ports })
  const parts = describeParts(settings, ports, notes.folder)
  if (goesOn) Object.assign(parts.urls, urls)
  const isUpgrade = goesOn && before.programs.rest !== programs.rest
  /** Whether a process of the previous run is what would be started now. nginx only reloads its configuration. */
  const staysOn = (name: string): boolean => {
    if (name === 'postgres' || name === 'clickhouse') return goesOn && before.programs.engines === programs.engines
    return goesOn && (!isUpgrade || name === 'nginx')
  }

  const logs: LogFile[] = []
  boundLogs(logs, signal)
  const logOf = (name: string) => {
    const show = (line: string) => console.log(`${name.padEnd(10)} ${line}`)
    const log = openLog(join(settings.dataFolder, 'logs', `${name}.log`), settings.verbose ? show : undefined)
    logs.push(log)
    return log
  }

  async function keepPart(part: Part) {
    signal.throwIfAborted()
    const watch = {
      started: (name: string, pid: number | undefined) => {
        if (pid) notes.write(name, pid)
        say(`${name} runs (process ${pid})`)
      },
      died: (name: string, how: string, retryMs: number) =>
        say(
          `${name} ${how}; starting it again in ${(retryMs / 1000).toFixed(1)} s (log: ${settings.dataFolder}/logs/${name}.log)`,
        ),
    }
    let adopts = staysOn(part.name)
    const start = async () => {
      const adopted = adopts ? notes.adopt(part.name) : undefined
      if (adopts && !adopted) await notes.end(part.name)
      adopts = false
      return adopted ?? (await part.start())
    }
    kept.push(await keep({ ...part, start, cleanUp: () => notes.end(part.name) }, watch))
  }

  const keepEngine = (name: string, start: (log: LogFile) => Promise<Running>) => {
    const log = logOf(name)
    return keepPart({ name, start: () => start(log) })
  }

  const keepCommand = (name: string, command: Command, before?: (log: LogFile) => Promise<unknown>) => {
    const log = logOf(name)
    return keepPart({
      name,
      async start() {
        await before?.(log)
        return startCommand(command, log, name)
      },
    })
  }

  // In parallel. Each is awaited even if the other failed, so that whatever came up is recorded and stopped.
  const engines = await Promise.allSettled([
    settings.databaseUrl ? undefined : keepEngine('postgres', parts.postgres),
    settings.clickhouseUrl ? undefined : keepEngine('clickhouse', parts.clickhouse),
  ])
  for (const engine of engines) if (engine.status === 'rejected') throw engine.reason

  noteEngines(settings.dataFolder, parts.urls)

  // They stop listening at once, and finish work in progress alongside their replacements. The previous API serves
  // until the new one listens on the same port: a migration must keep the previous release working that long.
  const leaving: Promise<unknown>[] = isUpgrade ? LEAVES_FIRST.map((name) => notes.leave(name)) : []
  if (isUpgrade) notes.setAside('api')
  const accounts = notes.runs('api') ? [] : await migrate()
  try {
    await keepCommand('api', parts.server('api'))
    if (isUpgrade) {
      if (!(await untilListening(ports.PORT, 2, HANDOVER_MS, signal))) say('the new API does not listen yet')
      leaving.push(notes.endAside('api'))
    }
    await keepCommand('node-api', parts.server('node-api'))
    await keepCommand('worker', parts.server('worker'))
    if (!notes.runs('agent')) await enrol()
    await keepCommand('nginx', parts.nginx, (log) => runCommand(parts.agent('render'), log, signal))
    await keepCommand('agent', parts.agent())
    await keepCommand('lab', parts.lab.nginx, (log) => runCommand(parts.lab.render, log, signal))
    if (settings.demo) await keepCommand('demo', parts.server('demo'))
    if (isUpgrade) notes.signal('nginx', 'SIGHUP')
    await untilHealthy(ports, say, signal)
    await Promise.all(leaving)
    signal.throwIfAborted()
    showAddresses(ports, settings)
  } finally {
    // Even if something has failed since: these accounts are in the database now, and nothing shows them again.
    showAccounts(accounts, Boolean(process.env.BREAKWATER_FIRST_PASSWORD))
  }
  console.log('\nCtrl-C stops everything.\n')

  async function migrate() {
    signal.throwIfAborted()
    say('bringing the databases up to date')
    const migrated = await runCommand(parts.server('migrate'), logOf('migrate'), signal)
    return answerOf<{ firstAccounts: FirstAccount[] }>(migrated)?.firstAccounts ?? []
  }

  async function enrol() {
    const enrolment = await runCommand(parts.server('enrol-local'), logOf('enrol-local'), signal)
    const answer = answerOf<{ token: string; server: string; ca: string }>(enrolment)
    if (answer) parts.enrol(answer)
  }
}

/** What a one-shot command answered, if anything. */
function answerOf<Answer>(text: string): Answer | undefined {
  return text === '' ? undefined : (JSON.parse(text) as Answer)
}
