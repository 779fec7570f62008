/** The real application on real engines, in its own database, with signed-in callers and factories. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import pino from 'pino'
import { inject } from 'vitest'
import { buildApp } from '../app.ts'
import { hashPassword } from '../auth/passwords.ts'
import { startSession } from '../auth/sessions.ts'
import { openDatabase, withSystem } from '../db/database.ts'
import { migrateEvents } from '../events/migrate.ts'
import { openEvents } from '../events/store.ts'
import { Budget } from '../http/budget.ts'
import { makeOutboundGuard } from '../outbound/guard.ts'
import { parts } from '../parts.ts'
import type { Env } from '../process/env.ts'
import type { Services } from '../process/services.ts'
import { makeVault } from '../secrets/vault.ts'
import { firstRun } from '../system/first-run.ts'
import { databaseOf, templateName } from './global-setup.ts'
import { patienceMs } from './patience.ts'

export const testPassword = 'correct-horse-7'

export type TestServer = {
  app: FastifyInstance
  services: Services
  /** Calls the API. `as` is a signed-in caller's tokens; `from` the client address, by default a new one. */
  call: (
    method: string,
    path: string,
    options?: { as?: TokenSet | undefined; body?: unknown; headers?: Record<string, string>; from?: string },
  ) => Promise<Answer>
  signIn: (tier: Tier, account: string, password?: string) => Promise<TokenSet>
  /** Opens a session of an account without signing in: no password is hashed, and no sign-in is recorded. */
  openSession: (tier: Tier, account: string) => Promise<TokenSet>
  /** Creates another customer of the operator, with its own tenant. */
  makeCustomer: (account: string) => Promise<void>
  makeSite: (as: TokenSet, name: string) => Promise<number>
  stop: () => Promise<void>
}

/** `body` is the JSON as received; tests inspect it. */
// biome-ignore lint/suspicious/noExplicitAny: a reply under test may have any shape, right or wrong
export type Answer = { status: number; body: any; headers: Record<string, unknown> }

/** A database cloned from the template, and its name. */
async function cloneDatabase(): Promise<{ name: string; drop: () => Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`
  const run = async (text: string) => {
    const client = new pg.Client({ connectionString: inject('databaseUrl') })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await run(`create database ${name} template ${templateName} strategy file_copy`)
  // First without force, which would terminate the autovacuum's workers: we have no right to do that.
  const drop = () =>
    run(`drop database ${name}`).catch((error: { code?: string }) => {
      if (error.code !== '55006') throw error
      return run(`drop database ${name} with (force)`)
    })
  return { name, drop }
}

/**
 * An events database of that name, created when it is first used: most tests do not query it, and it costs a second.
 */
function makeEvents(name: string) {
  const url = new URL(inject('clickhouseUrl'))
  url.pathname = `/${name}`
  const events = openEvents(url.href)
  const make = async () => {
    const root = openEvents(inject('clickhouseUrl'))
    await root.command({ query: `create database if not exists ${name}` })
    await root.close()
    await migrateEvents(events)
  }
  let made: Promise<void> | undefined
  const asks = ['query', 'command', 'insert', 'exec', 'ping'] as const
  const whenMade = Object.fromEntries(
    asks.map((ask) => [
      ask,
      async (...args: unknown[]) => {
        made ??= make()
        await made
        return (events[ask] as (...args: unknown[]) => Promise<unknown>)(...args)
      },
    ]),
  )
  const lazy = { ...whenMade, close: () => events.close() } as unknown as typeof events
  return { events: lazy, url: url.href }
}

/** The services of a process, on a cloned database and an events database of the same name. */
export async function makeTestServices(
  overrides: Partial<Env> = {},
): Promise<{ services: Services; stop: () => Promise<void> }> {
  const { name, drop } = await cloneDatabase()
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-data-'))
  mkdirSync(join(dataFolder, 'keys'))
  const { events, url } = makeEvents(name)
  const env: Env = {
    dataFolder,
    databaseUrl: databaseOf(inject('databaseUrl'), name),
    tenantDatabaseUrl: undefined,
    clickhouseUrl: url,
    port: 0,
    listenAddress: '127.0.0.1',
    trustedProxies: [],
    nodePort: 0,
    edgeHttpPort: 8081,
    edgeHttpsPort: 8443,
    allowOrigins: ['127.0.0.0/8'],
    firstPassword: testPassword,
    consoleFolder: join(dataFolder, 'no-console'),
    adminConsoleEnabled: true,
    publicUrl: 'http://localhost:8080',
    consoleTls: undefined,
    accountingTimeZone: 'Asia/Taipei',
    edgeDomain: 'edge.example.net',
    followsRuleSet: false,
    dnsServers: [],
    acmeHttpPort: 80,
    isDemo: false,
    telegramApi: 'https://api.telegram.org',
    licenseKeys: '',
    licenseServer: '',
    logLevel: 'silent',
    drainMs: 1000,
    ...overrides,
  }
  const database = openDatabase(env.databaseUrl, { connectionsMax: 8, patienceMs })
  const services: Services = {
    env,
    database,
    events,
    vault: makeVault(randomBytes(32)),
    guard: makeOutboundGuard(env.allowOrigins),
    publisher: { parts, allowOrigins: env.allowOrigins },
    logger: pino({ level: env.logLevel }),
  }
  await firstRun(services)
  const stop = async () => {
    await Promise.all([database.close(), events.close()])
    await drop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  return { services, stop }
}

/** A budget for all calls of a file of tests: a fast machine makes more of them than a session may. */
export const makeTestBudget = () => new Budget(100_000)

export async function makeTestServer(overrides: Partial<Env> = {}, budget = makeTestBudget()): Promise<TestServer> {
  const { services, stop } = await makeTestServices(overrides)
  const app = await buildApp(services, { checksReplies: true, budget })
  await app.ready()

  // Each call comes from its own address: rate limits and locks of addresses have their own tests.
  let calls = 0
  const call: TestServer['call'] = async (method, path, { as, body, headers, from } = {}) => {
    const reply = await app.inject({
      method: method as 'GET',
      remoteAddress: from ?? `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls++ & 255}`,
      url: path.startsWith('/api/') ? path : `/api/v1${path}`,
      headers: {
        ...(as ? { authorization: `Bearer ${as.accessToken}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(reply.headers['content-type']).includes('json')
    return { status: reply.statusCode, body: isJson ? reply.json() : reply.payload, headers: reply.headers }
  }
  const signIn: TestServer['signIn'] = async (tier, account, password = testPassword) => {
    const { status, body } = await call('POST', `/${tier}/code`, { body: { account, password } })
    if (status !== 200) throw new Error(`sign-in of ${account} answered ${status} ${JSON.stringify(body)}`)
    const { accessToken, refreshToken, tokenType } = body.data
    return { accessToken, refreshToken, tokenType }
  }
  return {
    app,
    services,
    call,
    signIn,
    openSession: (tier, account) =>
      withSystem(services.database.db, async (db) => {
        const { id } = await db
          .selectFrom('accounts')
          .select('id')
          .where('tier', '=', tier)
          .where('account', '=', account)
          .executeTakeFirstOrThrow()
        return startSession(db, id, { address: '', userAgent: '' })
      }),
    async makeCustomer(account) {
      const passwordHash = await hashPassword(testPassword)
      await withSystem(services.database.db, async (db) => {
        const operator = await db
          .selectFrom('tenants')
          .select('id')
          .where('kind', '=', 'operator')
          .executeTakeFirstOrThrow()
        const tenant = await db
          .insertInto('tenants')
          .values({ kind: 'customer', operatorId: operator.id, name: account })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('accounts')
          .values({ tenantId: tenant.id, tier: 'user', account, name: account, passwordHash, isRoot: true })
          .execute()
      })
    },
    async makeSite(as, siteName) {
      const { status, body } = await call('POST', '/user/site', { as, body: { siteName } })
      if (status !== 200) throw new Error(`making a site answered ${status} ${JSON.stringify(body)}`)
      return body.data.siteID
    },
    async stop() {
      await app.close()
      await stop()
    },
  }
}
