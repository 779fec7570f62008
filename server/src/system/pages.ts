/** What is served besides the API: the console, the API's page, brand images, and health and metrics for machines. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyEndpoint, tiers } from '@breakwater/contract/endpoint.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveBrandImages } from '../brand/serve-images.ts'
import { errorBody, Fault } from '../http/fault.ts'
import type { Services } from '../process/services.ts'
import { serveApiPage } from './api-page.ts'
import { healthOf } from './health.ts'
import { protect } from './protect.ts'

export async function servePages(app: FastifyInstance, services: Services, endpoints: AnyEndpoint[]): Promise<void> {
  app.get('/health', async (_request, reply) => {
    const { status, components } = await healthOf(services)
    return reply
      .code(status === 'down' ? 503 : 200)
      .send({ status, components: components.map(({ name, status: state }) => ({ name, status: state })) })
  })
  serveBrandImages(app, services)
  await serveApiPage(app, endpoints)
  await serveConsole(app, services)
}

/** Below a console's path a dot is part of a name, as of a site or a domain, and not a file extension. */
const isFile = (path: string): boolean => /\.\w{2,5}$/.test(path) && !tiers.some((tier) => path.startsWith(`/${tier}/`))

/**
 * The built console: its files by name, and its page for every other path outside of the API. One route serves all
 * files: with one for each of the hundreds of files the API starts half a second later.
 */
async function serveConsole(app: FastifyInstance, { env }: Services): Promise<void> {
  const built = existsSync(join(env.consoleFolder, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: env.consoleFolder,
      index: false,
      allowedPath: isFile,
      // The build writes the compressed files next to the originals.
      preCompressed: true,
      maxAge: '1y',
      immutable: true,
      setHeaders: (reply) => protect(reply as unknown as FastifyReply),
    })
  }
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = built && (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    if (!isPage || isFile(request.url.split('?')[0]!)) {
      const fault = new Fault('pathInvalid')
      return reply.code(fault.status).send(errorBody(fault, request.id))
    }
    protect(reply)
    // The page refers to hashed files, so the page itself is never cached.
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false })
  }
  app.setNotFoundHandler(page)
}
