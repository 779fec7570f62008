/** The node API: called by nodes, on NODE_PORT, with TLS 1.3 and certificates of the installation's own authority. */

import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { EdgeTotals } from '@breakwater/contract/edge/metrics.ts'
import type { Authority } from '../authority/authority.ts'
import { serverDays } from '../authority/certificates.ts'
import { serverNames } from '../authority/server-names.ts'
import { openNotices } from '../db/notices.ts'
import { concurrencyLimit } from '../engines/concurrency-limit.ts'
import type { Ingest } from '../events/ingest.ts'
import { rowsWantedChannel } from '../events/notice.ts'
import { makeApp } from '../http/app.ts'
import { drain } from '../http/drain.ts'
import { Fault } from '../http/fault.ts'
import { serveMetrics } from '../http/metrics.ts'
import { advanceRollouts } from '../rollouts/advance.ts'
import { Connections } from './connections.ts'
import { edgeMetrics } from './edge-metrics.ts'
import { makeMetrics, type NodeApiMetrics } from './metrics.ts'
import type { NodeApiParts, NodeApiServices } from './node-api-parts.ts'
import { nodeApiRoutes } from './node-api-routes.ts'
import { recheckConnections } from './recheck-connections.ts'

const beatMs = 15_000
/** How often open connections are compared with the nodes' rows, in case a notice was lost. */
const recheckMs = 1_500
/** Concurrent transactions, well below the size of the process's shared pool, and nodes that may wait for one. */
const transactionsMax = 8
const waitingMax = 5_000
const tooManyNodes = () => new Fault('databaseError', undefined, { status: 503, message: 'too many nodes at once' })

export type NodeApi = { port: number; metrics: Readonly<NodeApiMetrics>; close(): Promise<void> }

/** How often roll-outs are checked while one is running, and otherwise, in case a notice was lost. */
const rolloutsMs = 1_000
const noRolloutsMs = 15_000

/**
 * Starts the node API. `ingest` stores batches of events, and adds their counters to `totals`. Rejects if the port is
 * taken or the database is unreachable.
 */
export async function startNodeApi(
  services: NodeApiServices,
  authority: Authority,
  ingest: Ingest,
  totals = new EdgeTotals(),
): Promise<NodeApi> {
  const logger = services.logger.child({ part: 'node-api' })
  const parts: NodeApiParts = {
    services,
    authority,
    ingest,
    connections: new Connections(),
    metrics: makeMetrics(),
    limited: concurrencyLimit(transactionsMax, waitingMax, tooManyNodes),
    logger,
  }
  // Only warnings: a thousand nodes report every second, and successful requests are in the metrics.
  const app = makeApp(logger.child({}, { level: 'warn' }))
  nodeApiRoutes(app, parts)
  serveMetrics(app, services, 'node-api', gauges(parts.metrics), () => edgeMetrics(services.database.db, totals))
  await app.ready()
  const tls = await makeServer(authority, (request, response) => app.routing(request, response))
  const rollouts = rolloutWatch(parts)
  const notices = await openNotices(services.env.databaseUrl, noticeHandlers(parts, rollouts.begun), logger)
  const timers = [
    setInterval(() => parts.connections.beat(), beatMs),
    setInterval(() => void recheckConnections(parts), recheckMs),
    setInterval(() => void rollouts.look(), rolloutsMs),
  ]
  const close = async () => {
    for (const timer of timers) clearInterval(timer)
    parts.connections.closeAll()
    await tls.close(services.env.drainMs)
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

/** Checks the roll-outs: every time from the notice that one may have begun until none is running, seldom otherwise. */
function rolloutWatch({ services, logger }: NodeApiParts): { begun(): void; look(): Promise<void> } {
  let dueAt = 0
  return {
    begun() {
      dueAt = 0
    },
    async look() {
      if (Date.now() < dueAt) return
      // Before the database is asked: a notice that comes meanwhile makes the next look due again.
      dueAt = Date.now() + noRolloutsMs
      try {
        if (await advanceRollouts(services.database.db, logger)) dueAt = 0
      } catch (error) {
        // Retried in a second; nodes that have the change keep it until then.
        dueAt = 0
        logger.warn({ err: error }, 'roll-outs not looked at')
      }
    },
  }
}

/** `openStreams` is exported as `breakwater_node_api_open_streams`. */
function gauges(metrics: NodeApiMetrics): Record<string, () => number> {
  const names = Object.keys(metrics) as (keyof NodeApiMetrics)[]
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(names.map((name) => [`node_api_${snake(name)}`, () => metrics[name]]))
}

/** A roll-out begins with a change of its group's feed. */
function noticeHandlers(parts: NodeApiParts, rolloutBegun: () => void) {
  const { connections, metrics } = parts
  const wake = (kind: 'feed' | 'tasks' | 'bans' | 'rows', groupId?: number) => {
    metrics.wakes += connections.wake(kind, groupId)
  }
  return {
    channels: {
      feed(groupId: string) {
        wake('feed', Number(groupId))
        rolloutBegun()
      },
      tasks: (groupId: string) => wake('tasks', Number(groupId)),
      [rowsWantedChannel]: (groupIds: string) => {
        if (groupIds === '') wake('rows')
        else for (const groupId of groupIds.split(',')) wake('rows', Number(groupId))
      },
      bans: (groupId: string) => wake('bans', Number(groupId)),
      nodes: () => void recheckConnections(parts),
    },
    restored() {
      metrics.noticesRestored += 1
      wake('feed')
      wake('tasks')
      wake('bans')
      void recheckConnections(parts)
      rolloutBegun()
    },
  }
}

/** The TLS server, with a certificate that is replaced long before it expires. */
async function makeServer(authority: Authority, handle: Parameters<typeof createServer>[1]) {
  const certified = async () => {
    const { key, certificate } = await authority.issueServer(serverNames())
    return { key, cert: certificate, ca: authority.certificate, minVersion: 'TLSv1.3' as const }
  }
  const server = createServer(
    {
      ...(await certified()),
      requestCert: true,
      // Enrolment comes without a certificate; every other route requires a valid one.
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
    close(drainMs: number) {
      clearInterval(renewal)
      return drain(server, drainMs)
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
