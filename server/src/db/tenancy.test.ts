/** What injected SQL can do on a caller's connection: nothing beyond the caller's tenant. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { databaseOf } from '../testing/global-setup.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { asSystem, type Database, type DatabaseHandle, openDatabase, withCaller } from './database.ts'
import { migrate } from './migrate.ts'
import { withUser } from './tenant-login.ts'

let server: TestServer
let mine: number
let theirs: number
beforeAll(async () => {
  server = await makeTestServer()
  await server.makeCustomer('rival')
  await server.makeSite(await server.signIn('user', 'rival'), 'rivals')
  await server.makeSite(await server.signIn('user', 'customer'), 'mine')
  const { rows } = await query(
    "select account, tenant_id from accounts where account in ('customer', 'rival') order by 1",
  )
  mine = rows[0].tenant_id
  theirs = rows[1].tenant_id
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const asMe = <T>(run: (db: Database) => Promise<T>) =>
  withCaller(server.services.database, { tenantId: mine, tier: 'user' }, run)
const siteNames = async (db: Database) =>
  (await db.selectFrom('sites').select('name').execute()).map(({ name }) => name)
/** A statement in a caller's transaction, after others that an attacker injected. */
const attack = (...statements: string[]) =>
  asMe(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
    return siteNames(db)
  })

describe('SQL injected into a caller’s transaction', () => {
  test.each([
    ['reset role', 'reset role'],
    ['leave the role', 'set local role none'],
  ])('gains nothing when it tries to %s: it can then read no table', async (_what, statement) => {
    await expect(attack(statement)).rejects.toThrow(/permission denied/)
  })

  test.each([
    ['the system', 'set local role breakwater_system'],
    ['the owner', 'set local role breakwater'],
    ['the superuser', 'set local role postgres'],
    ['another session', 'set session authorization breakwater'],
    ['a role of its making', 'create role intruder'],
    ['the system, by a grant', 'grant breakwater_system to breakwater_tenant'],
    ['the login’s secrets', 'select * from tenant_login'],
    ['files', "select pg_read_file('/etc/passwd')"],
    ['programs', "copy sites to program 'cat'"],
    ['the policies', 'alter table sites disable row level security'],
    ['the functions', 'create or replace function app_steps() returns boolean language sql as $$ select true $$'],
    ['a function of its own', 'create function public.intruder() returns int language sql as $$ select 1 $$'],
    ['all rows at once', 'truncate sites'],
  ])('is denied %s', async (_what, statement) => {
    await expect(attack(statement)).rejects.toThrow(/permission denied|must be (owner|superuser)|must have/i)
    await expect(attack('reset role', statement)).rejects.toThrow(
      /permission denied|must be (owner|superuser)|must have/i,
    )
  })

  test('sees nothing when it sets another tenant, an operator, the vendor or more sites', async () => {
    expect(await attack()).toEqual(['mine'])
    for (const [name, value] of [
      ['tenant', String(theirs)],
      ['operator', '1'],
      ['operator', '2'],
      ['vendor', 'on'],
      ['sites', '1,2,3'],
      ['zones', '1,2,3'],
      ['account', '1'],
      ['proof', ''],
    ])
      expect([name, await attack(`select set_config('app.${name}', '${value}', true)`)]).toEqual([name, []])
  })

  test('sees and changes nothing in the role of system steps without the key', async () => {
    for (const key of ['', 'x', 'select key from tenant_login']) {
      const found = await asMe(async (db) => {
        await sql`select set_config('role', 'breakwater_step', true), set_config('app.step', ${key}, true)`.execute(db)
        const { numDeletedRows } = await db.deleteFrom('sessions').executeTakeFirst()
        const { numUpdatedRows } = await db.updateTable('accounts').set({ isRoot: true }).executeTakeFirst()
        return [await siteNames(db), Number(numDeletedRows), Number(numUpdatedRows)]
      })
      expect(found).toEqual([[], 0, 0])
    }
  })

  test('does not find the key after a system step, and the step leaves nothing behind', async () => {
    const left = await asMe(async (db) => {
      const seen = await asSystem(db, siteNames)
      await asSystem(db, async (tx) => {
        await expect(asSystem(tx, () => Promise.reject(new Error('a refusal')))).rejects.toThrow('a refusal')
        expect(await siteNames(tx)).toEqual(seen)
      })
      const { rows } = await sql<{ key: string; role: string }>`
        select current_setting('app.step', true) as key, current_setting('role') as role`.execute(db)
      return { seen: seen.toSorted(), ...rows[0]!, names: await siteNames(db) }
    })
    expect(left).toEqual({ seen: ['mine', 'rivals'], key: '', role: 'breakwater_tenant', names: ['mine'] })
  })
})

describe('the catalogue of PostgreSQL', () => {
  test('has no table without row-level security, and none that callers read without a policy of its own', async () => {
    const { rows: open } = await query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`,
    )
    expect(open).toEqual([])
    const { rows: wide } = await query(
      `select tablename, policyname, qual from pg_policies where schemaname = 'public'
         and 'breakwater_tenant' = any (roles) and permissive = 'PERMISSIVE' and qual = 'true'`,
    )
    expect(wide).toEqual([])
    // Every table open to callers requires the proof of the scope; views run with the rights of the caller.
    const { rows: unproven } = await query(
      `select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and has_any_column_privilege('breakwater_tenant', c.oid, 'select, insert, update')
         and not exists (select from pg_policy where polrelid = c.oid and polname = 'scope' and not polpermissive)`,
    )
    expect(unproven).toEqual([])
    const { rows: views } = await query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
         and not coalesce('security_invoker=true' = any (reloptions), false)`,
    )
    expect(views).toEqual([])
  })

  test('grants the roles to nobody else, and its security-definer functions have a fixed search path', async () => {
    const { rows } = await query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
         and not coalesce(array_to_string(proconfig, ',') like 'search_path=%pg_temp%', false)`,
    )
    expect(rows).toEqual([])
    const { rows: members } = await query(
      `select m.rolname from pg_auth_members a join pg_roles m on m.oid = a.member join pg_roles r on r.oid = a.roleid
         where r.rolname = 'breakwater_system' and m.rolname like 'breakwater_tenant%'`,
    )
    expect(members).toEqual([])
  })

  test('shows a caller no row of another tenant in any table', async () => {
    const { rows: tables } = await query(
      `select c.relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id') as is_owned
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and has_table_privilege('breakwater_tenant', c.oid, 'select') order by 1`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name, is_owned: isOwned } of tables) {
      const { rows } = await asMe((db) => sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db))
      if (isOwned)
        expect([name, rows.filter((row) => row.tenantId !== mine && row.operatorId === undefined)]).toEqual([name, []])
      if (name === 'tenants') expect(rows.map(({ id }) => id)).toEqual([mine])
      // The network belongs to the operator.
      if (['groups', 'zones', 'nodes', 'feeds', 'tasks'].includes(name)) expect([name, rows]).toEqual([name, []])
    }
  })
})

describe('the login of callers', () => {
  test('if it cannot be created, startup stops and prints the SQL; one created by hand is accepted', async () => {
    const owner = `poor_${Math.random().toString(36).slice(2, 10)}`
    await query(`create role ${owner} login createrole password 'poor'`)
    await query(`grant breakwater_tenant, breakwater_system, breakwater_step to ${owner} with admin option`)
    await query(`grant ${owner} to current_user`)
    await query(`create database ${owner} owner ${owner}`)
    const url = withUser(databaseOf(inject('databaseUrl'), owner), owner, 'poor')
    // As if installed while the user could still create roles.
    await migrate(url, { wanted: (name) => name < '0400' })
    await query(`alter role ${owner} nocreaterole`)
    await expect(migrate(url)).rejects.toThrow(/create role breakwater_caller login noinherit/)
    const login = `caller_${Math.random().toString(36).slice(2, 10)}`
    await query(`create role ${login} login noinherit password 'by hand' in role breakwater_tenant, breakwater_step`)
    const tenantUrl = withUser(url, login, 'by hand')
    await migrate(url, { tenantUrl })
    const database = openDatabase(url, { tenantUrl })
    const { rows } = await withCaller(database, { tenantId: 1, tier: 'user' }, (db) =>
      sql<{ name: string }>`select session_user as name`.execute(db),
    )
    expect(rows).toEqual([{ name: login }])
    await database.close()
    await query(`drop database ${owner}`)
  })

  test.each([
    ['may make roles', 'alter role %I createrole', /may do too much \(rolcreaterole\)/],
    ['may become the system', 'grant breakwater_system to %I', /may do too much \(is_system\)/],
    ['lacks its roles', 'revoke breakwater_step from %I', /lacks its roles/],
  ])('is refused with a clear error if it %s', async (_what, statement, words) => {
    const login = `caller_${Math.random().toString(36).slice(2, 10)}`
    await query(`create role ${login} login noinherit password 'x' in role breakwater_tenant, breakwater_step`)
    await query(statement.replace('%I', login))
    const { databaseUrl } = server.services.env
    const database = openDatabase(databaseUrl, { tenantUrl: withUser(databaseUrl, login, 'x') })
    await expect(withCaller(database, { tenantId: mine, tier: 'user' }, siteNames)).rejects.toThrow(words)
    await database.close()
  })

  test('of the owner, or of another database, is refused', async () => {
    const { databaseUrl } = server.services.env
    const { rows } = await query('select name, password from tenant_login')
    const other = await makeTestServer()
    await other.services.database.pool.query("update tenant_login set key = 'another'")
    const cases = [
      [databaseUrl, /may do too much \(rolbypassrls, rolcreaterole/],
      [withUser(other.services.env.databaseUrl, rows[0].name, rows[0].password), /leads to another database/],
    ] as const
    for (const [tenantUrl, words] of cases) {
      const database = openDatabase(databaseUrl, { tenantUrl })
      await expect(withCaller(database, { tenantId: mine, tier: 'user' }, siteNames)).rejects.toThrow(words)
      await database.close()
    }
    await other.stop()
  })
})

/** Queries run on a single connection, often enough that the plan is kept and becomes generic. */
describe('a kept plan', () => {
  const often = Array.from({ length: 40 })
  let database: DatabaseHandle
  beforeAll(() => {
    database = openDatabase(server.services.env.databaseUrl, { connectionsMax: 1 })
  })
  afterAll(() => database.close())

  test('shows each caller its own rows, and the system all of them', async () => {
    const as = <T>(tenantId: number, run: (db: Database) => Promise<T>) =>
      withCaller(database, { tenantId, tier: 'user' }, run)
    const namesNow = async (db: Database) => {
      const rows = await db.selectFrom('sites').select('name').where('id', '>', 0).where('name', '!=', '').execute()
      return rows.map(({ name }) => name)
    }
    for (const _ of often) {
      expect(await as(mine, namesNow)).toEqual(['mine'])
      expect(await as(theirs, namesNow)).toEqual(['rivals'])
    }
    const { rows } = await as(mine, (db) =>
      sql<{ statement: string }>`select statement from pg_prepared_statements where generic_plans > 0`.execute(db),
    )
    expect(rows.some(({ statement }) => statement.includes('from "sites"'))).toBe(true)
    expect(await as(mine, (db) => asSystem(db, namesNow))).toEqual(expect.arrayContaining(['mine', 'rivals']))
    expect(await as(theirs, namesNow)).toEqual(['rivals'])
  })

  test('keeps working when a migration adds a column, whether the query names its columns or selects all', async () => {
    const { db } = database
    const ask = async () => {
      const all = await sql`select * from kept_plans_test where id = ${1}`.execute(db)
      const one = await sql`select id from kept_plans_test where id = ${1}`.execute(db)
      return [all.rows[0], one.rows[0]]
    }
    await sql`create table kept_plans_test (id int)`.execute(db)
    await sql`insert into kept_plans_test values (1)`.execute(db)
    for (const _ of often) expect(await ask()).toEqual([{ id: 1 }, { id: 1 }])
    await sql`alter table kept_plans_test add column more int default 2`.execute(db)
    expect(await ask()).toEqual([{ id: 1, more: 2 }, { id: 1 }])
    await sql`drop table kept_plans_test`.execute(db)
  })
})
