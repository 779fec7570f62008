/** The gate: where nodes come in, on NODE_PORT, with TLS 1.3 and certificates of the installation's own authority. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Authority } from '../authority/authority.ts'
import { serverDays } from '../authority/certificates.ts'
import { serverNames } from '../authority/server-names.ts'
import type { Ingest } from '../events/ingest.ts'
import { makeApp } from '../http/app.ts'
import { advanceRollouts } from '../rollouts/advance.ts'
import { serveMetrics } from '../system/metrics.ts'
import { Connections } from './connections.ts'
import type { GateParts, GateServices } from './gate-parts.ts'
import { gateRoutes } from './gate-routes.ts'
import { type GateMetrics, makeMetrics } from './metrics.ts'
import { openNotices } from './notices.ts'
import { recheckNodes } from './recheck.ts'
import { Turns } from './turns.ts'

const beatMs = 15_000
/** How often open connections are compared with the nodes' rows, should a notice have been lost. */
const recheckMs = 4_000
/** Transactions at a time, well below the pool that the process shares, and nodes that may wait for one. */
const transactionsMax = 8
const waitingMax = 5_000

export type Gate = { port: number; metrics: Readonly<GateMetrics>; close(): Promise<void> }

/** How often roll-outs are looked at. */
const rolloutsMs = 1_000

/** Starts the gate. `ingest` stores batches of events. Rejects when the port is taken or the database is away. */
export async function startGate(services: GateServices, authority: Authority, ingest: Ingest): Promise<Gate> {
  const logger = services.logger.child({ part: 'gate' })
  const parts: GateParts = {
    services,
    authority,
    ingest,
    connections: new Connections(),
    metrics: makeMetrics(),
    turns: new Turns(transactionsMax, waitingMax),
    logger,
  }
  // A thousand nodes report every second: what went well is in the metrics.
  const app = makeApp(logger.child({}, { level: 'warn' }))
  gateRoutes(app, parts)
  serveMetrics(app, services, 'gate', gauges(parts.metrics))
  await app.ready()
  const tls = await makeServer(authority, (request, response) => app.routing(request, response))
  const notices = await openNotices(services.env.databaseUrl, noticeHandlers(parts), logger)
  const timers = [
    setInterval(() => parts.connections.beat(), beatMs),
    setInterval(() => void recheckNodes(parts), recheckMs),
    setInterval(() => void moveRollouts(parts), rolloutsMs),
  ]
  const close = async () => {
    for (const timer of timers) clearInterval(timer)
    parts.connections.closeAll()
    tls.close()
    await Promise.all([notices.close(), app.close()])
  }
  try {
    await listen(tls.server, services.env.nodePort)
  } catch (error) {
    await close()
    throw error
  }
  return { port: (tls.server.address() as AddressInfo).port, metrics: parts.metrics, close }
}

async function moveRollouts({ services, logger }: GateParts): Promise<void> {
  try {
    await advanceRollouts(services.database.db, logger)
  } catch (error) {
    // Asked again in a second; nodes that have the change keep it until then.
    logger.warn({ err: error }, 'roll-outs not looked at')
  }
}

/** `openStreams` is shown as `breakwater_gate_open_streams`. */
function gauges(metrics: GateMetrics): Record<string, () => number> {
  const names = Object.keys(metrics) as (keyof GateMetrics)[]
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(names.map((name) => [`gate_${snake(name)}`, () => metrics[name]]))
}

function noticeHandlers(parts: GateParts) {
  const { connections, metrics } = parts
  const wake = (kind: 'feed' | 'tasks', groupId?: number) => {
    metrics.wakes += connections.wake(kind, groupId)
  }
  return {
    channels: {
      feed: (groupId: string) => wake('feed', Number(groupId)),
      tasks: (groupId: string) => wake('tasks', Number(groupId)),
      nodes: () => void recheckNodes(parts),
    },
    restored() {
      metrics.noticesRestored += 1
      wake('feed')
      wake('tasks')
      void recheckNodes(parts)
    },
  }
}

/** The TLS server, with a certificate that is replaced long before it ends. */
async function makeServer(authority: Authority, handle: Parameters<typeof createServer>[1]) {
  const certified = async () => {
    const { key, certificate } = await authority.issueServer(serverNames())
    return { key, cert: certificate, ca: authority.certificate, minVersion: 'TLSv1.3' as const }
  }
  const server = createServer(
    {
      ...(await certified()),
      requestCert: true,
      // Enrolment comes without a certificate; every other route asks for an authorised one.
      rejectUnauthorized: false,
      handshakeTimeout: 10_000,
      headersTimeout: 15_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 75_000,
    },
    handle,
  )
  const renewal = setInterval(async () => server.setSecureContext(await certified()), (serverDays / 6) * 86_400_000)
  return {
    server,
    close() {
      clearInterval(renewal)
      server.close()
      server.closeAllConnections()
    },
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
