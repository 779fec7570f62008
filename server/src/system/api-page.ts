/**
 * The API's description, complete and per console, and a page to read and try it: everything from this machine, under
 * the same content security policy as the console. Calls use the session of the console in this browser, or a token
 * that is typed in.
 */
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { tiers } from '@breakwater/contract/tiers.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { openapi } from '../http/openapi.ts'
import { apiPageSession } from './api-page-session.ts'
import { protect } from './protect.ts'

const prefix = '/api/v1/docs'
const library = `${prefix}/library`

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
</head>
<body>
<div id="app"></div>
<script src="${prefix}/session.js"></script>
<script src="${library}/js/scalar.js"></script>
<script src="${prefix}/start.js"></script>
</body>
</html>
`

/** Runs in the browser. */
const start = `'use strict'
Scalar.createApiReference('#app', {
  url: tier ? '/api/v1/' + tier + '/openapi.json' : '/api/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  proxyUrl: '',
  persistAuth: false,
  showDeveloperTools: 'never',
  showToolbar: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: {
    preferredSecurityScheme: 'token',
    securitySchemes: { token: { token: shownToken } },
  },
})
`

export async function serveApiPage(app: FastifyInstance, endpoints: AnyEndpoint[]): Promise<void> {
  const documents = new Map<string, object>()
  const documentOf = (tier: Tier | undefined): object => {
    const known = documents.get(tier ?? '')
    if (known) return known
    const made = openapi(endpoints, tier)
    documents.set(tier ?? '', made)
    return made
  }
  app.get('/api/v1/openapi.json', () => documentOf(undefined))
  for (const tier of tiers) app.get(`/api/v1/${tier}/openapi.json`, () => documentOf(tier))

  app.get(`${prefix}/start.js`, (_request, reply) => {
    protect(reply)
    return reply.type('text/javascript; charset=utf-8').send(start)
  })
  app.get(`${prefix}/session.js`, (_request, reply) => {
    protect(reply)
    return reply.type('text/javascript; charset=utf-8').send(apiPageSession)
  })
  for (const address of [prefix, ...tiers.map((tier) => `${prefix}/${tier}`)]) {
    app.get(address, (_request, reply) => {
      protect(reply)
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
    })
  }
  let program: Promise<Buffer> | undefined
  app.get(`${library}/js/scalar.js`, async (_request, reply) => {
    program ??= readProgram()
    return reply.type('text/javascript; charset=utf-8').send(await program)
  })
}

/**
 * The library's browser script. It is megabytes of code inside a plugin: loaded when somebody first opens the page, so
 * that the API starts without it. Only the script is used: the page that the plugin would build contains an inline
 * script.
 */
async function readProgram(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const shelf = fastify()
  await shelf.register(plugin, { routePrefix: '/', configuration: { url: '/api/v1/openapi.json' } })
  const { rawPayload } = await shelf.inject('/js/scalar.js')
  await shelf.close()
  return rawPayload
}
