import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from './database.ts'

const { db, close } = openDatabase(inject('databaseUrl'))
afterAll(close)

test('a connection closed by the database during a transaction fails only that transaction', async () => {
  const cut = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(db)
    // The termination arrives while no query is running.
    await new Promise((done) => setImmediate(() => setImmediate(done)))
    await sql`select 1`.execute(tx)
  })
  await expect(cut).rejects.toThrow(/terminat|not queryable/)
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
})
