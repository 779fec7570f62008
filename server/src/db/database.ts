/** The relational store: a pool, and transactions that run as somebody. */
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

// int8 arrives as text by default; our counters stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type DatabaseHandle = { db: Database; pool: pg.Pool; close(): Promise<void> }

/** Opens a pool on a `postgres://` URL. Connections are made when needed; a lost one is replaced. */
export function openDatabase(
  url: string,
  options: { connectionsMax?: number; onError?: (error: Error) => void } = {},
): DatabaseHandle {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 20,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    application_name: 'breakwater',
  })
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // So would one that is closed between two statements of a transaction. Its next statement says that it is gone.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await db.destroy()
    // The query builder ends only a pool that it has used; others ask the pool itself.
    if (!pool.ended) await pool.end()
  }
  return { db, pool, close }
}

/** As whom a transaction sees the rows: a customer's tenant, an operator (its own and its customers'), or the vendor. */
export type Scope = {
  tenantId: number
  tier: 'user' | 'client' | 'admin'
  /** The sites that it may reach; nothing said means all that its tenant may know. */
  siteIds?: readonly number[] | undefined
  /** The zones that an operator's sub-account looks after; nothing said means all. */
  zoneIds?: readonly number[] | undefined
  /** Whose transaction it is, for what a person made himself. */
  accountId?: number | undefined
}

// A list that holds nothing is not the same as no list: 0 is no id.
const idList = (ids: readonly number[] | undefined): string => (ids ? [0, ...ids].join() : '')

const enter = (role: 'breakwater_tenant' | 'breakwater_system', scope?: Scope) =>
  sql`select set_config('role', ${role}, true), set_config('app.tenant', ${scope ? String(scope.tenantId) : ''}, true),
      set_config('app.operator', ${scope?.tier === 'client' ? String(scope.tenantId) : ''}, true),
      set_config('app.vendor', ${scope?.tier === 'admin' ? 'on' : ''}, true),
      set_config('app.sites', ${idList(scope?.siteIds)}, true), set_config('app.zones', ${idList(scope?.zoneIds)}, true),
      set_config('app.account', ${scope?.accountId ? String(scope.accountId) : ''}, true)`

/** Runs a transaction as a caller: row-level security decides what it sees. The one place where a tenant's scope is set. */
export function withCaller<T>(db: Database, scope: Scope, run: (db: Database) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await enter('breakwater_tenant', scope).execute(tx)
    return run(tx)
  })
}

/** Runs a transaction as the system: sign-in, jobs, the nodes' gate. */
export function withSystem<T>(db: Database, run: (db: Database) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await enter('breakwater_system').execute(tx)
    return run(tx)
  })
}

/** Within a transaction, runs one step as the system and returns to the role it had: publishing. */
export async function asSystem<T>(db: Database, run: (db: Database) => Promise<T>): Promise<T> {
  const before = await sql<{ role: string }>`select current_setting('role') as role`.execute(db)
  await sql`select set_config('role', 'breakwater_system', true)`.execute(db)
  const result = await run(db)
  await sql`select set_config('role', ${before.rows[0]!.role}, true)`.execute(db)
  return result
}
