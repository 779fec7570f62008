/** Prometheus metrics, available from this machine or with a token. */
import { timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readOrMakeKey } from '../secrets/vault.ts'
import { errorBody, Fault } from './fault.ts'

/** Whether the request comes from this machine. One forwarded by a local proxy, trusted or not, does not count. */
function isThisMachine(request: FastifyRequest): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => name in request.headers)
  return !forwarded && /^(::1|(::ffff:)?127\..*)$/.test(request.ip)
}

/**
 * How often the event loop's lag is measured, in ms, which is also the smallest lag reported. At the default of 10, an
 * idle process wakes 100 times a second, which takes 1 % of a core.
 */
const lagPrecisionMs = 100

/**
 * Measures every call and serves `/metrics`. `numbers` are additional gauges of the process, `more` is additional text;
 * both are read on each request.
 */
export function serveMetrics(
  app: FastifyInstance,
  { env }: { env: { dataFolder: string } },
  process: string,
  numbers: Record<string, () => number>,
  more: () => Promise<string> = async () => '',
): void {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry, prefix: 'breakwater_', eventLoopMonitoringPrecision: lagPrecisionMs })
  const calls = new Histogram({
    name: 'breakwater_call_seconds',
    help: 'Time to answer a call, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  for (const [name, read] of Object.entries(numbers)) {
    new Gauge({
      name: `breakwater_${name}`,
      help: name.replaceAll('_', ' '),
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  app.addHook('onResponse', (request, reply, done) => {
    calls.observe(
      { route: request.routeOptions.url ?? 'none', method: request.method, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
    done()
  })
  readOrMakeKey(env.dataFolder, 'metrics.token', () => Buffer.from(crypto.randomUUID()))
  app.get('/metrics', async (request, reply) => {
    if (!isThisMachine(request) && !hasToken(env.dataFolder, request.headers.authorization)) {
      const fault = new Fault('permissionDenied')
      return reply.code(fault.status).send(errorBody(fault, request.id))
    }
    return reply.type(registry.contentType).send((await registry.metrics()) + (await more()))
  })
}

function hasToken(dataFolder: string, authorization: string | undefined): boolean {
  const expected = Buffer.from(`Bearer ${readFileSync(join(dataFolder, 'keys', 'metrics.token'), 'utf8')}`)
  const given = Buffer.from(authorization ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
