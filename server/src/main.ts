/**
 * The control plane's processes: `migrate`, `api`, `node-api`, `worker`, `enrol-local`, `demo`, `rotate-key`,
 * `verify-audit`.
 */

import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { EdgeTotals } from '@breakwater/contract/edge/metrics.ts'
import { drain } from './http/drain.ts'
import { giveBackMemory } from './process/give-back-memory.ts'
import { makeServices } from './services.ts'

const command = process.argv[2] ?? ''
const services = makeServices(command)
const { env, database, events, logger } = services

/** On the first SIGTERM or SIGINT, closes everything in order and exits. */
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

/**
 * Writes output that contains a password or a token to the file descriptor in BREAKWATER_ANSWER_FD, because a process's
 * standard output ends up in a log. Without that variable, it goes to standard output.
 */
function answer(value: object): void {
  const file = process.env.BREAKWATER_ANSWER_FD
  writeSync(file === undefined ? 1 : Number(file), `${JSON.stringify(value)}\n`)
}

async function done(): Promise<void> {
  await Promise.all([database.close(), events.close()])
}

function serving(facts: object): void {
  logger.info(facts, 'listening')
  started()
}

/** Publishing, comparing and explaining need the WAF's default rule set. */
async function rulesOfWaf(): Promise<void> {
  const { loadCoreRuleSet } = await import('./waf/core-rule-set.ts')
  await loadCoreRuleSet(database.db)
}

/** A process that is killed saves no compile cache, so it is saved as soon as all code is loaded. */
function started(): void {
  flushCompileCache()
  giveBackMemory()
}

/** Each command loads only the code it needs, so that a killed process is back sooner. */
const commands: Record<string, () => Promise<void>> = {
  async migrate() {
    const { migrate } = await import('./db/migrate.ts')
    const { migrateEvents } = await import('./events/migrate.ts')
    const { firstRun } = await import('./system/first-run.ts')
    const { installedFiles } = await import('./waf/installed-rule-set.ts')
    const { pinRuleSet } = await import('./waf/pin-rule-set.ts')
    await migrate(env.databaseUrl, { tenantUrl: env.tenantDatabaseUrl })
    await migrateEvents(events)
    const firstAccounts = await firstRun(services)
    await pinRuleSet(database.db, { follows: env.followsRuleSet, logger, files: installedFiles() })
    answer({ firstAccounts })
    await done()
  },
  async api() {
    const { buildApp } = await import('./app.ts')
    const { listenWithTls } = await import('./certificates/console/listen.ts')
    await rulesOfWaf()
    const app = await buildApp(services, { checksReplies: false })
    await app.ready()
    const own = await listenWithTls(app, services)
    // The port is shared, so that the API of the next release can listen before this one ends. The framework passes the
    // option on, but its types lack it.
    const place = { port: env.port, host: env.listenAddress, reusePort: true }
    await app.listen(place)
    serving({ address: env.listenAddress, port: env.port })
    stopOn(async () => {
      await Promise.all([drain(app.server, env.drainMs), own?.close()])
      await app.close()
    })
  },
  async 'node-api'() {
    const { openAuthority } = await import('./authority/authority.ts')
    const { makeIngest } = await import('./events/ingest.ts')
    const { startNodeApi } = await import('./nodes/node-api.ts')
    await rulesOfWaf()
    const totals = new EdgeTotals()
    const nodeApi = await startNodeApi(
      services,
      await openAuthority(env.dataFolder),
      makeIngest(database.db, events, totals),
      totals,
    )
    serving({ port: env.nodePort })
    stopOn(() => nodeApi.close())
  },
  async worker() {
    const { startWorker } = await import('./jobs/worker.ts')
    await rulesOfWaf()
    const worker = await startWorker(services)
    started()
    stopOn(() => worker.close())
  },
  async demo() {
    const { buildApp } = await import('./app.ts')
    const { startDemo } = await import('./demo/demo.ts')
    await rulesOfWaf()
    const demo = await startDemo(services, await buildApp(services, { checksReplies: false }))
    stopOn(() => demo.close())
  },
  async 'rotate-key'() {
    const { beginRotation, finishRotation } = await import('./system/rotate-key.ts')
    const { keyFileOf } = await import('./secrets/master-key.ts')
    const { addSigningKey } = await import('./authority/signing-keys.ts')
    const run = process.argv[3] === '--finish' ? finishRotation : beginRotation
    const result =
      process.argv[3] === '--signing'
        ? { signingKey: addSigningKey(env.dataFolder) }
        : await run(database.db, keyFileOf(env.dataFolder))
    console.log(JSON.stringify(result))
    await done()
  },
  async 'enrol-local'() {
    const { enrolLocal } = await import('./nodes/enrol-local.ts')
    const invitation = await enrolLocal(services)
    if (invitation) answer(invitation)
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
