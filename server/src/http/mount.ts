/** Turns the contract into HTTP routes: identify → authorize → validate → run → audit → respond. */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { formatSiteRevision, siteRevisionHeader } from '@breakwater/contract/site-revision.ts'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Database, type DatabaseHandle, withCaller } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'
import { writeAudit } from './audit.ts'
import { Budget, type BudgetKey } from './budget.ts'
import { type CsvFile, sendCsv } from './csv.ts'
import { Fault } from './fault.ts'
import { formLimits, readForm } from './form.ts'
import { type KeyUse, keyUse, replayedHeader } from './idempotency.ts'
import type { AuditNote, Caller, Feature, Route } from './implement.ts'
import { KeptResults } from './kept-results.ts'
import { parse, parseParams } from './parse.ts'
import { bodyOfSeveral, singleBodies } from './removals.ts'
import { watchRights } from './rights-watch.ts'
import { TokenUses } from './token-uses.ts'

/** Identifies the caller of a token, for one tier (or any, for paths without one). Throws 101013 and 101014. */
export type Identify = (authorization: string | undefined, tier: string | undefined, address: string) => Promise<Caller>

/**
 * The same caller with its current rights, by session or API token. Throws if either has ended, or if the account may
 * not sign in.
 */
export type IdentifyAgain = (caller: Caller, address: string) => Promise<Caller>

type Parts = {
  database: DatabaseHandle
  vault: Vault
  identify: Identify
  identifyAgain: IdentifyAgain
  /** Throws for what an operator may not do once its licence has expired. Called inside the call's transaction. */
  requireCurrent: (db: Database, caller: Caller, endpoint: AnyEndpoint) => Promise<void>
  /** Whether to validate responses against the contract: in tests and development. */
  checksReplies: boolean
  /** How many calls a session may make; by default as for a console. */
  budget?: Budget | undefined
}

/** State that a process keeps about its callers. */
type Kept = Parts & { budget: Budget; tokenUses: TokenUses; results: KeptResults }

export function mount(app: FastifyInstance, features: Feature[], parts: Parts): void {
  const kept: Kept = {
    ...parts,
    budget: parts.budget ?? new Budget(),
    tokenUses: new TokenUses(),
    results: new KeptResults(parts.vault),
  }
  app.addHook('onRequest', (request, _reply, done) => {
    // No call decompresses bodies, so a compressed one could only be misread, and decompression bombs are impossible.
    if (request.headers['content-encoding'])
      done(new Fault('parameterError', [{ field: 'body', reason: 'wrongFormat' }], { status: 415 }))
    else done()
  })
  const add = (to: FastifyInstance, routes: Route[]) => {
    for (const route of routes) {
      if (route.style === 'open' && bodyOfSeveral(route.endpoint))
        throw new Error(`${route.endpoint.id} removes several: only a handler in one transaction can`)
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
  // Only these calls accept form data; all others reject it.
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
  const { tier } = rawParams
  if (tier !== undefined && !endpoint.tiers.some((known) => known === tier)) throw new Fault('pathInvalid')
  const caller = await callerOf(endpoint, parts, request, tier)
  if (!parts.budget.take(caller ? budgetKey(caller) : request.ip)) {
    throw new Fault('unknownError', undefined, { status: 429, message: 'too many requests' })
  }
  const audit: AuditNote = { action: endpoint.audit }
  const sent = endpoint.form && request.isMultipart() ? await readForm(request, endpoint.fileBytesMax) : request.body
  const bodies = bodiesOf(endpoint, sent)
  const call = {
    ...parseParams(rawParams),
    query: endpoint.query ? parse(endpoint.query, request.query, 'query') : refuseAny(request.query, 'query'),
    body: bodies[0],
    caller,
    audit,
    address: plainAddress(request.ip),
    requestId: request.id,
  }
  const use = await keyUse(endpoint, caller, request, sent)
  const exchange = { route, parts, caller, call, bodies, use, request, reply }
  const isOpen = route.style === 'open' || caller === undefined
  const run = () => (isOpen ? runOpen(exchange) : runInTransaction(exchange, caller))
  const result = await (use ? parts.results.inTurn(use, run) : run())
  if (audit.made) reply.header(siteRevisionHeader, formatSiteRevision(audit.made))
  return send(endpoint, parts, reply, result)
}

type Exchange = {
  route: Route
  parts: Kept
  caller: Caller | undefined
  call: Parameters<typeof writeAudit>[2] & object
  /** More than one if a removal of one item removes several. */
  bodies: unknown[]
  use: KeyUse | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** The call, its audit entry and its stored result are one transaction. */
function runInTransaction(
  { route, parts, call, bodies, use, request, reply }: Exchange,
  caller: Caller,
): Promise<unknown> {
  const { endpoint } = route
  return withCaller(parts.database, caller, async (db) => {
    const before = use && (await parts.results.take(db, use))
    if (before) return replayed(reply, before)
    await parts.requireCurrent(db, caller, endpoint)
    let value: unknown
    for (const body of bodies) {
      const audit: AuditNote = { action: endpoint.audit }
      value = await (route.handle as Handle)({ ...call, body, audit, db })
      call.audit.made = audit.made ?? call.audit.made
      if (endpoint.audit) await writeAudit(db, endpoint.audit, { ...call, audit }, request)
    }
    if (use) await parts.results.store(db, use, value)
    return value
  })
}

/** The handler opens its own transactions. */
async function runOpen({ route, parts, caller, call, use, request, reply }: Exchange): Promise<unknown> {
  const { endpoint } = route
  const transact = <T>(run: (db: Database) => Promise<T>) => withCaller(parts.database, caller!, run)
  const before = use && (await transact((db) => parts.results.take(db, use)))
  if (before) return replayed(reply, before)
  try {
    if (caller && endpoint.audit) await transact((db) => parts.requireCurrent(db, caller, endpoint))
    const isLong = endpoint.kind === 'stream' || endpoint.kind === 'raw'
    if (isLong && caller) watchRights(reply.raw, () => mayStill(endpoint, parts, caller, request.ip))
    const files: CsvFile[] = []
    const answerFile = (file: CsvFile) => void files.push(file)
    const value = await (route.handle as Handle)({ ...call, transact, request, reply, answerFile })
    if (endpoint.audit && caller) {
      if (reply.sent) throw new Error(`${endpoint.id} answered before its audit entry was written`)
      await transact((db) => writeAudit(db, endpoint.audit!, call, request)).catch(async (error: unknown) => {
        await Promise.all(files.map((file) => file.onClose?.()))
        throw error
      })
    }
    for (const file of files) sendCsv(reply, file)
    if (use) await transact((db) => parts.results.store(db, use, value))
    return value
  } catch (error) {
    if (use) await transact((db) => parts.results.giveBack(db, use))
    throw error
  }
}

function bodiesOf(endpoint: AnyEndpoint, sent: unknown): unknown[] {
  if (!endpoint.body) return [refuseAny(sent, 'body')]
  return singleBodies(endpoint, sent) ?? [parse(endpoint.body, sent === undefined ? {} : sent, 'body')]
}

type Handle = (call: object) => Promise<unknown>

function replayed(reply: FastifyReply, { value }: { value: unknown }): unknown {
  reply.header(replayedHeader, 'true')
  return value
}

/**
 * Whether a caller whose response is still being written has the same rights as before. Any change of rights or reach
 * ends the response.
 */
async function mayStill(endpoint: AnyEndpoint, parts: Kept, before: Caller, address: string): Promise<boolean> {
  const now = await parts.identifyAgain(before, address)
  const isPermitted = endpoint.can === 'signedIn' || (endpoint.can !== 'public' && now.permissions.has(endpoint.can))
  const isSameReach = sameIds(now.siteIds, before.siteIds) && sameIds(now.zoneIds, before.zoneIds)
  return isPermitted && isSameReach && now.tenantId === before.tenantId && now.tier === before.tier
}

const sameIds = (one: readonly number[] | undefined, two: readonly number[] | undefined): boolean =>
  one === two ||
  (one !== undefined && two !== undefined && one.length === two.length && one.every((id) => two.includes(id)))

/** The only calls allowed while an initial password has to be changed. */
const beforeNewPassword = new Set(['account.self.get', 'auth.password.change'])

/** A person's API tokens use up neither the person's budget nor each other's. */
const budgetKey = ({ apiToken, sessionId }: Caller): BudgetKey => (apiToken ? -apiToken.id : sessionId)

/** An IPv4 address that arrived through an IPv6 listener, in its usual notation. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '')

async function callerOf(
  endpoint: AnyEndpoint,
  parts: Kept,
  request: FastifyRequest,
  tier: string | undefined,
): Promise<Caller | undefined> {
  const authorization = request.headers.authorization
  if (endpoint.can === 'public') return undefined
  const caller = await parts.identify(authorization, tier, request.ip)
  if (caller.apiToken) await parts.tokenUses.note(parts.database.db, caller, plainAddress(request.ip), request)
  // A path without a console may still belong to certain consoles: the token is valid, but not for this call.
  if (endpoint.tiers.length > 0 && !endpoint.tiers.includes(caller.tier)) throw new Fault('permissionDenied')
  if (endpoint.personOnly && (caller.apiToken || caller.proxiedBy)) {
    throw new Fault('permissionDenied', caller.apiToken ? 'apiToken' : 'actingForAnother')
  }
  if (caller.mustChangePassword && !beforeNewPassword.has(endpoint.id))
    throw new Fault('permissionDenied', 'passwordChangeRequired')
  if (endpoint.can === 'signedIn') return caller
  if (!caller.permissions.has(endpoint.can)) throw new Fault('permissionDenied')
  return caller
}

/** A call without input rejects any, so that a typo never passes for success. */
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
