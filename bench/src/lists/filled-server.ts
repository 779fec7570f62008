/** A server with its own PostgreSQL, to measure how long calls take with much stored data; all in this process. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../../server/src/app.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { startPostgres } from '../../../server/src/engines/postgres.ts'
import type { Services } from '../../../server/src/process/services.ts'
import { makeServices } from '../../../server/src/services.ts'
import { firstRun } from '../../../server/src/system/first-run.ts'

const password = 'correct-horse-7'

/** Stops all that it started when it is disposed of, or if filling it fails. */
export type FilledServer = AsyncDisposable & {
  services: Services
  /** Calls the API as the account with this name. */
  call(tier: string, account: string, method: string, url: string, body?: object): Promise<Reply>
  /** Prints the median and the slowest of five calls, in milliseconds, and the number of matching rows. */
  timed(name: string, tier: string, account: string, method: string, url: string, body?: object): Promise<void>
  /** Listens on a port of this machine and returns its URL. */
  listen(): Promise<string>
  /** Signs in as the account and returns the session's token. */
  signIn(tier: string, account: string): Promise<string>
}
type Client = { query(text: string, values?: unknown[]): Promise<unknown> }
// biome-ignore lint/suspicious/noExplicitAny: each call answers something else
type Reply = any

/** Inserts sites of the first customer, named `shop 1` and so on. */
export async function fillSites(client: Client, count: number): Promise<void> {
  await client.query(
    `insert into sites (tenant_id, product_id, name, label, limitations)
     select t.id, p.id, 'shop ' || n, 'shop-' || n || '-00000', '{}'
     from (select id from tenants where kind = 'customer' order by id limit 1) t,
       (select id from products order by id limit 1) p, generate_series(1, $1::int) n`,
    [count],
  )
}

/** `fill` bypasses the API and writes as the owner of the tables; it may take long. */
export async function startFilledServer(fill: (client: Client) => Promise<void>): Promise<FilledServer> {
  await using starting = new AsyncDisposableStack()
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  starting.defer(() => rmSync(dataFolder, { recursive: true }))
  mkdirSync(join(dataFolder, 'keys'))
  const engine = await startPostgres({ dataFolder })
  starting.defer(() => engine.stop())
  await migrate(engine.url)
  Object.assign(process.env, {
    BREAKWATER_DATA: dataFolder,
    BREAKWATER_LOG_LEVEL: 'silent',
    BREAKWATER_FIRST_PASSWORD: password,
    BREAKWATER_DEMO: '1',
    DATABASE_URL: engine.url,
    // No call here reads events; the client does not connect until the first query.
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
  })
  const services = makeServices('bench')
  starting.defer(() => services.events.close())
  starting.defer(() => services.database.close())
  await firstRun(services)
  const client = await services.database.pool.connect()
  await client.query('set statement_timeout = 0')
  const begun = performance.now()
  await fill(client)
  await client.query('vacuum analyze')
  await client.query('update accounts set must_change_password = false')
  client.release(true)
  console.log(`filled in ${((performance.now() - begun) / 1000).toFixed(0)} s`)

  const app = await buildApp(services, { checksReplies: false })
  starting.defer(() => app.close())
  await app.ready()
  let calls = 0
  const inject = (method: string, url: string, token: string | undefined, body: object | undefined) =>
    app.inject({
      method: method as 'GET',
      url: `/api/v1${url}`,
      remoteAddress: `10.0.${(calls >> 8) & 255}.${calls++ & 255}`,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(body ? { payload: body } : {}),
    })
  async function signIn(tier: string, account: string): Promise<string> {
    const reply = await inject('POST', `/${tier}/code`, undefined, { account, password })
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return reply.json().data.accessToken
  }

  async function ask(token: string, method: string, url: string, body?: object): Promise<Reply> {
    const reply = await inject(method, url, token, body)
    if (reply.statusCode !== 200) throw new Error(`${url} ${reply.body}`)
    return reply.json()
  }

  const ends = starting.move()
  return {
    services,
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    signIn,
    call: async (tier, account, method, url, body) => ask(await signIn(tier, account), method, url, body),
    async timed(name, tier, account, method, url, body) {
      const token = await signIn(tier, account)
      const times: number[] = []
      let total: unknown
      for (let i = 0; i < 5; i++) {
        const started = performance.now()
        ;({ total } = await ask(token, method, url, body))
        times.push(performance.now() - started)
      }
      times.sort((a, b) => a - b)
      console.log(
        `${name.padEnd(44)} ${times[2]!.toFixed(0).padStart(5)} ${times[4]!.toFixed(0).padStart(5)}   ${String(total)}`,
      )
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  }
}
