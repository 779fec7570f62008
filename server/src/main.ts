/** The control plane's processes: `migrate`, `api`, `gate`, `worker`, `enrol-local`, `demo`, `verify-audit`. */

import { buildApp } from './app.ts'
import { verifyAudit } from './audit/verify.ts'
import { openAuthority } from './authority/authority.ts'
import { migrate } from './db/migrate.ts'
import { startDemo } from './demo/demo.ts'
import { makeIngest } from './events/ingest.ts'
import { migrateEvents } from './events/migrate.ts'
import { startWorker } from './jobs/worker.ts'
import { enrolLocal } from './nodes/enrol-local.ts'
import { startGate } from './nodes/gate.ts'
import { makeServices } from './services.ts'
import { firstRun } from './system/first-run.ts'

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

const commands: Record<string, () => Promise<void>> = {
  async migrate() {
    await migrate(env.databaseUrl)
    await migrateEvents(events)
    console.log(JSON.stringify({ firstAccounts: await firstRun(services) }))
    await done()
  },
  async api() {
    const app = await buildApp(services, { checksReplies: false })
    await app.listen({ port: env.port, host: process.env.HOST ?? '::' })
    logger.info({ port: env.port }, 'listening')
    stopOn(() => app.close())
  },
  async gate() {
    const gate = await startGate(services, await openAuthority(env.dataFolder), makeIngest(database.db, events))
    logger.info({ port: env.nodePort }, 'listening')
    stopOn(() => gate.close())
  },
  async worker() {
    const worker = await startWorker(services)
    stopOn(() => worker.close())
  },
  async demo() {
    const demo = await startDemo(services)
    stopOn(() => demo.close())
  },
  async 'enrol-local'() {
    const answer = await enrolLocal(services)
    if (answer) console.log(JSON.stringify(answer))
    await done()
  },
  async 'verify-audit'() {
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
