/** The API and the console on one port, assembled from their parts. Tests use the same assembly. */
import type { FastifyInstance } from 'fastify'
import { identify, identifyAgain } from './auth/identify.ts'
import { makeFeatures } from './features.ts'
import { makeApp } from './http/app.ts'
import { Fault } from './http/fault.ts'
import { serveMetrics } from './http/metrics.ts'
import { mount } from './http/mount.ts'
import { makeLicenseChecks } from './licenses/limits.ts'
import type { Services } from './process/services.ts'
import { servePages } from './system/pages.ts'

type Options = Pick<Parameters<typeof mount>[2], 'checksReplies' | 'budget'>

/** The server without a listener: its caller binds a port, or sends calls by `inject`. */
export async function buildApp(services: Services, options: Options): Promise<FastifyInstance> {
  const { database, env, logger } = services
  const app = makeApp(logger, env.trustedProxies)
  serveMetrics(app, services, 'api', {
    database_connections: () => database.connections().open,
    database_waiting: () => database.connections().waiting,
  })
  const features = makeFeatures(services)
  if (!env.adminConsoleEnabled) {
    app.addHook('onRequest', async (request) => {
      if (/^\/(api\/v1\/)?admin(\/|$)/.test(request.url)) throw new Fault('pathInvalid')
    })
  }
  mount(app, features, {
    database,
    vault: services.vault,
    ...options,
    requireCurrent: makeLicenseChecks(env).requireCurrent,
    identify: (authorization, tier, address) => identify(database.db, authorization, tier, address),
    identifyAgain: (caller, address) => identifyAgain(database.db, caller, address),
  })
  await servePages(
    app,
    services,
    features.flat().map((route) => route.endpoint),
  )
  return app
}
