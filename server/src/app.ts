/** The API and the console on one port, from their parts. The tests build the same one. */
import type { FastifyInstance } from 'fastify'
import { identify } from './auth/identify.ts'
import { makeFeatures } from './features.ts'
import { makeApp } from './http/app.ts'
import { Fault } from './http/fault.ts'
import { mount } from './http/mount.ts'
import type { Services } from './http/services.ts'
import { makeLicenseGate } from './licenses/limits.ts'
import { serveMetrics } from './system/metrics.ts'
import { servePages } from './system/pages.ts'

export async function buildApp(services: Services, options: { checksReplies: boolean }): Promise<FastifyInstance> {
  const { database, env, logger } = services
  const app = makeApp(logger)
  serveMetrics(app, services, 'api', {
    database_connections: () => database.pool.totalCount,
    database_waiting: () => database.pool.waitingCount,
  })
  const features = makeFeatures(services)
  if (!env.adminConsoleEnabled) {
    app.addHook('onRequest', async (request) => {
      if (/^\/(api\/v1\/)?admin(\/|$)/.test(request.url)) throw new Fault('pathInvalid')
    })
  }
  mount(app, features, {
    db: database.db,
    checksReplies: options.checksReplies,
    requireCurrent: makeLicenseGate(env).requireCurrent,
    identify: (authorization, tier, address) => identify(database.db, authorization, tier, address),
  })
  await servePages(
    app,
    services,
    features.flat().map((route) => route.endpoint),
  )
  return app
}
