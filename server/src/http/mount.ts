/** Turns the contract into HTTP routes: who calls → may they → is the input right → run → audit → answer. */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Database, withCaller } from '../db/database.ts'
import { writeAudit } from './audit.ts'
import { Budget } from './budget.ts'
import { Fault } from './fault.ts'
import { formLimits, readForm } from './form.ts'
import type { AuditNote, Caller, Feature, Route } from './implement.ts'
import { parse, parseParams } from './parse.ts'
import { TokenUses } from './token-uses.ts'

/** Finds who a token belongs to, for a tier (or any, for paths without one). Throws 101013 and 101014. */
export type Identify = (authorization: string | undefined, tier: string | undefined, address: string) => Promise<Caller>

type Parts = {
  db: Database
  identify: Identify
  /** Refuses what an operator may not do once its licence is over. Asked inside the call's transaction. */
  requireCurrent: (db: Database, caller: Caller, endpoint: AnyEndpoint) => Promise<void>
  /** Checks replies against the contract: in tests and development. */
  checksReplies: boolean
}

/** What one process keeps of its callers. */
type Kept = Parts & { budget: Budget; tokenUses: TokenUses }

export function mount(app: FastifyInstance, features: Feature[], parts: Parts): void {
  const kept: Kept = { ...parts, budget: new Budget(), tokenUses: new TokenUses() }
  app.addHook('onRequest', (request, _reply, done) => {
    // No call unpacks bodies, so a compressed one could only be misread, and a bomb has no way in.
    if (request.headers['content-encoding'])
      done(new Fault('parameterError', [{ field: 'body', reason: 'wrongFormat' }], { status: 415 }))
    else done()
  })
  const add = (to: FastifyInstance, routes: Route[]) => {
    for (const route of routes) {
      to.route({
        method: route.endpoint.method,
        url: `/api/v1${route.endpoint.path}`,
        handler: (request, reply) => answer(route, kept, request, reply),
      })
    }
  }
  const routes = features.flat()
  add(
    app,
    routes.filter(({ endpoint }) => !endpoint.form),
  )
  // Only these know what form data is; to every other call it is no body at all.
  app.register(async (scope) => {
    await scope.register(multipart, { limits: formLimits, throwFileSizeLimit: true })
    add(
      scope,
      routes.filter(({ endpoint }) => endpoint.form),
    )
  })
}

async function answer(route: Route, parts: Kept, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { endpoint } = route
  const rawParams = request.params as Record<string, string>
  const tier = rawParams.tier ?? tierOf(endpoint)
  if (rawParams.tier !== undefined && !endpoint.tiers.some((known) => known === tier)) throw new Fault('pathInvalid')
  const caller = await callerOf(endpoint, parts, request, tier)
  if (!parts.budget.take(caller ? budgetKey(caller) : `address:${request.ip}`)) {
    throw new Fault('unknownError', undefined, { status: 429, message: 'too many requests' })
  }
  const audit: AuditNote = {}
  const sent = endpoint.form && request.isMultipart() ? await readForm(request) : request.body
  const call = {
    ...parseParams(rawParams),
    query: endpoint.query ? parse(endpoint.query, request.query, 'query') : refuseAny(request.query, 'query'),
    body: endpoint.body ? parse(endpoint.body, sent === undefined ? {} : sent, 'body') : refuseAny(sent, 'body'),
    caller,
    audit,
    address: plainAddress(request.ip),
    requestId: request.id,
  }
  const handle = route.handle as (call: object) => Promise<unknown>
  if (route.style === 'open' || caller === undefined) {
    const transact = <T>(run: (db: Database) => Promise<T>) => withCaller(parts.db, caller!, run)
    if (caller && endpoint.audit) await transact((db) => parts.requireCurrent(db, caller, endpoint))
    const result = await handle({ ...call, transact, request, reply })
    if (endpoint.audit && caller) await transact((db) => writeAudit(db, endpoint.audit!, call, request))
    return send(endpoint, parts, reply, result)
  }
  const result = await withCaller(parts.db, caller, async (db) => {
    await parts.requireCurrent(db, caller, endpoint)
    const value = await handle({ ...call, db })
    if (endpoint.audit) await writeAudit(db, endpoint.audit, call, request)
    return value
  })
  return send(endpoint, parts, reply, result)
}

/** All that answers while a first password has to be changed (rulings, 8). */
const beforeNewPassword = new Set(['account.self.get', 'auth.password.change'])

/** Programs of one person do not eat up the budget of the person, nor of each other. */
const budgetKey = (caller: Caller) => (caller.apiToken ? `token:${caller.apiToken.id}` : `session:${caller.sessionId}`)

/** An IPv4 address that came in through an IPv6 listener, as people write it. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '')

function tierOf(endpoint: AnyEndpoint): string | undefined {
  return endpoint.tiers.length === 1 ? endpoint.tiers[0] : undefined
}

async function callerOf(
  endpoint: AnyEndpoint,
  parts: Kept,
  request: FastifyRequest,
  tier: string | undefined,
): Promise<Caller | undefined> {
  const authorization = request.headers.authorization
  if (endpoint.can === 'public') return undefined
  const caller = await parts.identify(authorization, tier, request.ip)
  await parts.tokenUses.note(parts.db, caller, plainAddress(request.ip), request)
  // A path without a console in it still belongs to some of them.
  if (endpoint.tiers.length > 0 && !endpoint.tiers.includes(caller.tier)) throw new Fault('invalidToken')
  if (endpoint.personOnly && (caller.apiToken || caller.proxiedBy)) {
    throw new Fault('permissionDenied', caller.apiToken ? 'apiToken' : 'actingForAnother')
  }
  if (caller.mustChangePassword && !beforeNewPassword.has(endpoint.id))
    throw new Fault('permissionDenied', 'passwordChangeRequired')
  if (endpoint.can === 'signedIn') return caller
  if (!caller.permissions.has(endpoint.can)) throw new Fault('permissionDenied')
  return caller
}

/** A call that takes nothing refuses what is sent, so that a typing error never passes for success. */
function refuseAny(value: unknown, prefix: string): undefined {
  const keys = value !== null && typeof value === 'object' ? Object.keys(value) : []
  if (keys.length > 0)
    throw new Fault(
      'parameterError',
      keys.map((field) => ({ field: field || prefix, reason: 'unknownField' })),
    )
  return undefined
}

function send(endpoint: AnyEndpoint, parts: Parts, reply: FastifyReply, result: unknown): unknown {
  if (endpoint.kind === 'stream' || endpoint.kind === 'raw') return reply
  reply.header('cache-control', 'no-store')
  if (endpoint.kind === 'none') return reply.send({})
  const value = parts.checksReplies && endpoint.reply ? endpoint.reply.parse(result) : result
  return reply.send(endpoint.kind === 'list' ? value : { data: value })
}
