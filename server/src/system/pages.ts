/** What is served beside the API: the console, the API's description and its page, health and metrics for machines. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import fastifyStatic from '@fastify/static'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, Fault } from '../http/fault.ts'
import { openapi } from '../http/openapi.ts'
import type { Services } from '../http/services.ts'
import { healthOf } from './health.ts'

const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

export async function servePages(app: FastifyInstance, services: Services, endpoints: AnyEndpoint[]): Promise<void> {
  app.get('/health', async (_request, reply) => {
    const { status, components } = await healthOf(services)
    return reply
      .code(status === 'down' ? 503 : 200)
      .send({ status, components: components.map(({ name, status: state }) => ({ name, status: state })) })
  })
  await serveApiPage(app, endpoints)
  await serveConsole(app, services)
}

/** The description, whole and per console, and a page to read and try it, all from this machine. */
async function serveApiPage(app: FastifyInstance, endpoints: AnyEndpoint[]): Promise<void> {
  const documents = new Map<string, object>()
  const documentOf = (tier: Tier | undefined): object => {
    const known = documents.get(tier ?? '')
    if (known) return known
    const made = openapi(endpoints, tier)
    documents.set(tier ?? '', made)
    return made
  }
  app.get('/api/v1/openapi.json', () => documentOf(undefined))
  for (const tier of ['user', 'client', 'admin'] as const)
    app.get(`/api/v1/${tier}/openapi.json`, () => documentOf(tier))
  await app.register(scalar, {
    routePrefix: '/api/v1/docs',
    configuration: { url: '/api/v1/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true },
  })
}

/** The built console: its files by name, and its page for every address that is no file and no API. */
async function serveConsole(app: FastifyInstance, { env }: Services): Promise<void> {
  const built = existsSync(join(env.consoleFolder, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: env.consoleFolder,
      index: false,
      wildcard: false,
      maxAge: '1y',
      immutable: true,
      setHeaders: (reply) => protect(reply as unknown as FastifyReply),
    })
  }
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = built && (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    if (!isPage || /\.\w{2,5}$/.test(request.url.split('?')[0]!)) {
      const fault = new Fault('pathInvalid')
      return reply.code(fault.status).send(errorBody(fault, request.id))
    }
    protect(reply)
    // The page names its hashed files, so it is never kept itself.
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { maxAge: 0, immutable: false })
  }
  app.setNotFoundHandler(page)
}

function protect(reply: FastifyReply | { setHeader(name: string, value: string): void }): void {
  const set = (name: string, value: string) =>
    'setHeader' in reply ? reply.setHeader(name, value) : reply.header(name, value)
  set('content-security-policy', contentPolicy)
  set('referrer-policy', 'no-referrer')
  set('x-frame-options', 'DENY')
  set('x-content-type-options', 'nosniff')
}
