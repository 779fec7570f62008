/** The relational store: connection pools, and transactions that run under a role. */
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { keepPlans } from './kept-plans.ts'
import { sendTogether } from './send-together.ts'
import type { Tables } from './tables.ts'
import { readTenantLogin, type Scope, scopeSettings } from './tenant-login.ts'
import { type Transact, transactionsOf } from './transactions.ts'

export type Database = Kysely<Tables>

// int8 is parsed as text by default; our counters stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type DatabaseHandle = {
  /** The pool of the tables' owner, for the system and for identifying callers. */
  db: Database
  pool: pg.Pool
  /** The pool for callers' transactions, opened on first use. Throws `TenantLoginError`. */
  callers(): Promise<Callers>
  /** The number of open connections and of calls waiting for one, over both pools. */
  connections(): { open: number; waiting: number }
  close(): Promise<void>
}

/**
 * The database for callers' transactions, and the key that proves to it that a scope or a step comes from the server.
 */
type Callers = { db: Database; key: string }

type Options = {
  /** Per pool. */
  connectionsMax?: number
  /** The URL of the callers' login, if the operator created it. */
  tenantUrl?: string | undefined
  onError?: (error: Error) => void
  /** How long a call may wait for a connection and how long a statement may run, in ms. */
  patienceMs?: { connection: number; statement: number }
}

const usualPatienceMs = { connection: 10_000, statement: 30_000 }

/** Opens a pool for a `postgres://` URL. Connections are opened on demand; lost ones are replaced. */
export function openDatabase(url: string, options: Options = {}): DatabaseHandle {
  const { pool, db } = openPool(url, options)
  let callers: Promise<Callers & { pool: pg.Pool }> | undefined
  const pools = [pool]
  const openCallers = async () => {
    const login = await readTenantLogin(pool, url, options.tenantUrl)
    const opened = openPool(login.url, options)
    pools.push(opened.pool)
    return { ...opened, key: login.key }
  }
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    const opened = await callers?.catch(() => undefined)
    for (const one of opened ? [{ db, pool }, opened] : [{ db, pool }]) {
      await one.db.destroy()
      // The query builder only ends a pool that it has used; the others must be ended directly.
      if (!one.pool.ended) await one.pool.end()
    }
  }
  return {
    db,
    pool,
    callers() {
      callers ??= openCallers()
      // If the database is unavailable now, the next call tries again.
      callers.catch(() => {
        callers = undefined
      })
      return callers
    },
    connections: () => ({
      open: pools.reduce((sum, { totalCount }) => sum + totalCount, 0),
      waiting: pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
    }),
    close,
  }
}

function openPool(url: string, options: Options): { pool: pg.Pool; db: Database } {
  const patienceMs = options.patienceMs ?? usualPatienceMs
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 12,
    connectionTimeoutMillis: patienceMs.connection,
    statement_timeout: patienceMs.statement,
    application_name: 'breakwater',
    pipeline: true,
  })
  // Without a listener, an idle connection closed by the server would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // So would a connection closed between two statements of a transaction. Its next statement reports the loss.
  pool.on('connect', (client) => client.on('error', () => {}))
  keepPlans(pool)
  sendTogether(pool)
  const config = {
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  }
  const db = new Kysely<Tables>(config)
  transactions.set(db, transactionsOf(db, config))
  return { pool, db }
}

/** How transactions run, by the database of their pool. */
const transactions = new WeakMap<Database, Transact<Tables>>()

/** Callers' transactions, with the key and depth of their steps as the system. */
const callersOf = new WeakMap<Database, { key: string; steps: number }>()

const settle = (settings: Record<string, string>) =>
  sql`select ${sql.join(Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`

/**
 * Runs a transaction as a caller, on a login that may do nothing else: row-level security decides what it sees. This is
 * the only place where a tenant's scope is set.
 */
export async function withCaller<T>(
  database: DatabaseHandle,
  scope: Scope,
  run: (db: Database) => Promise<T>,
): Promise<T> {
  const { db, key } = await database.callers()
  return transactions.get(db)!(settle({ role: 'breakwater_tenant', ...scopeSettings(scope, key) }), (tx) => {
    callersOf.set(tx, { key, steps: 0 })
    return run(tx)
  })
}

/** Runs a transaction as the system, for sign-in, jobs and the node API. */
export function withSystem<T>(db: Database, run: (db: Database) => Promise<T>): Promise<T> {
  return transactions.get(db)!(settle({ role: 'breakwater_system' }), run)
}

/**
 * Within a transaction, runs one step as the system and then returns to the caller's role, for example to publish.
 * Queries of the caller that run at the same time would run as the system, too: await them first.
 */
export async function asSystem<T>(db: Database, run: (db: Database) => Promise<T>): Promise<T> {
  const caller = callersOf.get(db)
  if (!caller) return run(db)
  caller.steps += 1
  if (caller.steps === 1) await settle({ role: 'breakwater_step', 'app.step': caller.key }).execute(db)
  const leave = async () => {
    caller.steps -= 1
    if (caller.steps === 0) await settle({ role: 'breakwater_tenant', 'app.step': '' }).execute(db)
  }
  let result: T
  try {
    result = await run(db)
  } catch (error) {
    // After a failed statement the transaction is aborted, and its role goes with it.
    await leave().catch(() => {})
    throw error
  }
  await leave()
  return result
}
