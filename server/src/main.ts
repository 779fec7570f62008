/** The control plane's processes: `migrate`, `api`, `gate`, `worker`, `enrol-local`, `demo`, `verify-audit`. */

import { flushCompileCache } from 'node:module'
import { makeServices } from './services.ts'

const command = process.argv[2] ?? ''
const services = makeServices(command)
const { env, database, events, logger } = services

/** Stops in order when asked to, and never twice. */
function stopOn(close: () => Promise<unknown>): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await close()
    await Promise.all([database.close(), events.close()])
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function done(): Promise<void> {
  await Promise.all([database.close(), events.close()])
}

/** A process that is killed leaves no cache of its compiled code: it is kept as soon as all of it was read. */
function serving(facts: object): void {
  logger.info(facts, 'listening')
  flushCompileCache()
}

/** Each reads only the code that it needs: whoever was killed is back the sooner. */
const commands: Record<string, () => Promise<void>> = {
  async migrate() {
    const { migrate } = await import('./db/migrate.ts')
    const { migrateEvents } = await import('./events/migrate.ts')
    const { firstRun } = await import('./system/first-run.ts')
    await migrate(env.databaseUrl)
    await migrateEvents(events)
    console.log(JSON.stringify({ firstAccounts: await firstRun(services) }))
    await done()
  },
  async api() {
    const { buildApp } = await import('./app.ts')
    const app = await buildApp(services, { checksReplies: false })
    await app.listen({ port: env.port, host: process.env.HOST ?? '::' })
    serving({ port: env.port })
    stopOn(() => app.close())
  },
  async gate() {
    const { openAuthority } = await import('./authority/authority.ts')
    const { makeIngest } = await import('./events/ingest.ts')
    const { startGate } = await import('./nodes/gate.ts')
    const gate = await startGate(services, await openAuthority(env.dataFolder), makeIngest(database.db, events))
    serving({ port: env.nodePort })
    stopOn(() => gate.close())
  },
  async worker() {
    const { startWorker } = await import('./jobs/worker.ts')
    const worker = await startWorker(services)
    flushCompileCache()
    stopOn(() => worker.close())
  },
  async demo() {
    const { startDemo } = await import('./demo/demo.ts')
    const demo = await startDemo(services)
    stopOn(() => demo.close())
  },
  async 'enrol-local'() {
    const { enrolLocal } = await import('./nodes/enrol-local.ts')
    const answer = await enrolLocal(services)
    if (answer) console.log(JSON.stringify(answer))
    await done()
  },
  async 'verify-audit'() {
    const { verifyAudit } = await import('./audit/verify.ts')
    const result = await verifyAudit(database)
    console.log(JSON.stringify(result, null, 2))
    await done()
    process.exitCode = result.breaks.length > 0 ? 1 : 0
  },
}

const run = commands[command]
if (!run) {
  console.error(`usage: main.ts ${Object.keys(commands).join(' | ')}`)
  process.exit(2)
}
await run()
