/**
 * Downloads for a machine that is about to become a node: the installer and the bundle, only for the holder of a token.
 */
import { createReadStream } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serverNames } from '../authority/server-names.ts'
import { withSystem } from '../db/database.ts'
import { Budget } from '../http/budget.ts'
import { Fault } from '../http/fault.ts'
import { type Bundle, buildBundle } from './bundle/build.ts'
import { installScript } from './bundle/script.ts'
import { requireToken } from './enrol-token.ts'
import type { NodeApiParts } from './node-api-parts.ts'

/** Concurrent downloads: each holds a file open, and few strangers have a token. */
const downloadsMax = 20

export function bundleRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  const { services, authority } = parts
  const budget = new Budget()
  const bearer = async (request: FastifyRequest): Promise<string> => {
    if (!budget.take(request.ip))
      throw new Fault('unknownError', undefined, { status: 429, message: 'too many requests' })
    const token = /^Bearer (bwn_[A-Za-z0-9_-]{1,120})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    await parts.limited(() => withSystem(services.database.db, (db) => requireToken(db, token)))
    return token
  }

  app.get('/install', async (request, reply) => {
    const token = await bearer(request)
    const server = `https://${knownHost(request.headers.host, services.env.nodePort)}`
    const text = installScript({
      server,
      authority: authority.certificate,
      token,
      signingKeys: authority.signer.keys(),
    })
    return reply.type('text/x-shellscript; charset=utf-8').send(text)
  })

  let building: Promise<Bundle> | undefined
  let downloads = 0
  app.get('/bundle', async (request, reply) => {
    await bearer(request)
    if (downloads >= downloadsMax)
      throw new Fault('unknownError', undefined, { status: 503, message: 'too many downloads' })
    building ??= buildBundle(services.env.dataFolder, authority.signer)
    const bundle = await building.catch((error: unknown) => {
      building = undefined
      throw error
    })
    downloads += 1
    reply.raw.once('close', () => {
      downloads -= 1
    })
    parts.logger.info({ address: request.ip, bytes: bundle.bytes }, 'node bundle sent')
    return reply.type('application/gzip').header('content-length', bundle.bytes).send(createReadStream(bundle.path))
  })
}

/**
 * The name that the machine connected to, if it is in the node API's certificate: any other Host value is not echoed.
 */
function knownHost(header: string | undefined, port: number): string {
  const host = (header ?? '').replace(/:\d+$/, '')
  const names = serverNames().map((name) => (name.includes(':') ? `[${name}]` : name))
  if (!names.includes(host)) throw new Fault('parameterError', [{ field: 'host', reason: 'wrongFormat' }])
  return `${host}:${port}`
}
