import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase, withSystem } from './database.ts'

const { db, pool, close } = openDatabase(inject('databaseUrl'), { connectionsMax: 1 })
afterAll(async () => {
  await sql`drop table if exists late_rows`.execute(db)
  await close()
})

test('concurrent statements are sent in one write and answered in order', async () => {
  let writes = 0
  const client = await pool.connect()
  const { stream } = client.connection as unknown as { stream: { _writev: (...given: unknown[]) => void } }
  const writev = stream._writev
  stream._writev = function counted(...given) {
    writes++
    writev.apply(this, given)
  }
  client.release()
  const answers = await withSystem(db, async (tx) => {
    const before = writes
    const rows = await Promise.all([1, 2, 3].map((n) => sql<{ n: number }>`select ${n}::int as n`.execute(tx)))
    expect(writes - before).toBe(1)
    return rows.map((answer) => answer.rows[0]!.n)
  })
  expect(answers).toEqual([1, 2, 3])
})

test('if one of several concurrent statements fails, the whole transaction fails', async () => {
  await sql`create table late_rows (n int primary key)`.execute(db)
  const failed = withSystem(db, (tx) =>
    Promise.all([
      sql`select 1 / 0`.execute(tx),
      sql`insert into late_rows values (1)`.execute(tx),
      sql`select 1`.execute(tx),
    ]),
  )
  await expect(failed).rejects.toThrow('division by zero')
  const { rows } = await sql`select n from late_rows`.execute(db)
  expect(rows).toEqual([])
})

test('a statement issued after its transaction failed does not run in any other', async () => {
  let late: Promise<unknown> | undefined
  const failed = withSystem(db, (tx) => {
    // Two steps beside one that fails: the second runs when the transaction is already over.
    const steps = async () => {
      await failed.catch(() => undefined)
      await sql`insert into late_rows values (2)`.execute(tx)
    }
    late = steps()
    late.catch(() => undefined)
    return sql`select 1 / 0`.execute(tx)
  })
  await expect(failed).rejects.toThrow('division by zero')
  await expect(late).rejects.toThrow('the transaction is over')
  const { rows } = await sql`select n from late_rows`.execute(db)
  expect(rows).toEqual([])
})
