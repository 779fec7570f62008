/** The relational store: a pool, and transactions that run as somebody. */
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { keepPlans } from './kept-plans.ts'
import { sendTogether } from './send-together.ts'
import type { Tables } from './tables.ts'
import { readTenantLogin, type Scope, scopeSettings } from './tenant-login.ts'
import { type Transact, transactionsOf } from './transactions.ts'

export type Database = Kysely<Tables>

// int8 arrives as text by default; our counters stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type DatabaseHandle = {
  /** The pool of the tables' owner, for the system and for finding out who calls. */
  db: Database
  pool: pg.Pool
  /** The pool of callers' transactions, opened when first needed. Throws `TenantLoginError`. */
  callers(): Promise<Callers>
  /** Connections that are open, and calls that wait for one, of both pools. */
  connections(): { open: number; waiting: number }
  close(): Promise<void>
}

/** Where callers' transactions run, and the key that proves to the database that a scope or a step is the server's. */
type Callers = { db: Database; key: string }

type Options = {
  /** Of each pool. */
  connectionsMax?: number
  /** The address of the callers' login where the operator made it. */
  tenantUrl?: string | undefined
  onError?: (error: Error) => void
  /** How long a call waits for a connection, and a statement may take, in ms. */
  patienceMs?: { connection: number; statement: number }
}

const usualPatienceMs = { connection: 10_000, statement: 30_000 }

/** Opens a pool on a `postgres://` URL. Connections are made when needed; a lost one is replaced. */
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
      // The query builder ends only a pool that it has used; others ask the pool itself.
      if (!one.pool.ended) await one.pool.end()
    }
  }
  return {
    db,
    pool,
    callers() {
      callers ??= openCallers()
      // A database that is away now is asked again by the next call.
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
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // So would one that is closed between two statements of a transaction. Its next statement says that it is gone.
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

/** Transactions of callers, with what their steps as the system need. */
const callersOf = new WeakMap<Database, { key: string; steps: number }>()

const settle = (settings: Record<string, string>) =>
  sql`select ${sql.join(Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`))}`

/**
 * Runs a transaction as a caller, on a login that may do nothing else: row-level security decides what it sees. The one
 * place where a tenant's scope is set.
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

/** Runs a transaction as the system: sign-in, jobs, the node API. */
export function withSystem<T>(db: Database, run: (db: Database) => Promise<T>): Promise<T> {
  return transactions.get(db)!(settle({ role: 'breakwater_system' }), run)
}

/**
 * Within a transaction, runs one step as the system and returns to the role it had: publishing. What is asked as the
 * caller meanwhile would be asked as the system, too: wait for it before.
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
    // Where a statement failed the transaction is over and takes the role with it.
    await leave().catch(() => {})
    throw error
  }
  await leave()
  return result
}
