/**
 * Applies the numbered migrations that a database lacks, one transaction each, under a lock that only one process
 * holds.
 */
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ensureTenantLogin } from './tenant-login.ts'

/** From this migration on there is a login for callers. A restore starts with the schema of its backup. */
const loginMigration = '0400_tenant_login.sql'
const folder = new URL('../../migrations/', import.meta.url)

/**
 * Migrates a database to the newest schema, or applies only the migrations that `wanted` selects. Then closes every
 * table to callers except through its policies, and creates the callers' login. Returns the names of the migrations it
 * applied. Throws `TenantLoginError` if that login cannot be created.
 */
export async function migrate(
  url: string,
  { wanted = () => true, tenantUrl }: { wanted?: (name: string) => boolean; tenantUrl?: string | undefined } = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(7312001)')
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map((row) => row.name))
    const names = (await readdir(folder))
      .filter((name) => name.endsWith('.sql') && !applied.has(name) && wanted(name))
      .sort()
    for (const name of names) await applyOne(client, name)
    if (applied.has(loginMigration) || names.includes(loginMigration)) {
      await client.query('call app_secure_tables()')
      await ensureTenantLogin(client, tenantUrl)
    }
    return names
  } finally {
    await client.end()
  }
}

async function applyOne(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(new URL(name, folder), 'utf8')
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}
