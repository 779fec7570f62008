/**
 * The login of callers' transactions: an account of PostgreSQL that owns nothing and may only take the roles of callers.
 * Made at start-up where the database's user may make one; otherwise the operator makes it and names it.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'

/** What the server's processes need of it. `key` proves to the database that a scope or a step is the server's own. */
export type TenantLogin = { url: string; key: string }

type Row = { name: string; password: string; key: string }

/** The login cannot be had, or may do more than it should: nothing starts until somebody acts. */
export class TenantLoginError extends Error {}

const byHand = (
  name: string,
) => `Make it as a superuser (the role breakwater_step too, where it is missing: create role breakwater_step nologin):
  create role ${name} login noinherit password '…' in role breakwater_tenant, breakwater_step;
and start with DATABASE_TENANT_URL=postgres://${name}:…@host/database beside DATABASE_URL.`

/**
 * Makes the login where it is missing, with the password that is kept in the database: after a restore, in another
 * server of PostgreSQL too. With `tenantUrl` the operator made it. Runs as the owner. Throws `TenantLoginError`.
 */
export async function ensureTenantLogin(client: pg.Client, tenantUrl: string | undefined): Promise<void> {
  const made: Row = {
    name: `breakwater_tenant_${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
    key: randomBytes(32).toString('base64url'),
  }
  await client.query('insert into tenant_login (name, password, key) values ($1, $2, $3) on conflict do nothing', [
    made.name,
    made.password,
    made.key,
  ])
  if (tenantUrl !== undefined) return
  const { rows } = await client.query<Row>('select name, password, key from tenant_login')
  const { name, password } = rows[0]!
  const { rows: known } = await client.query('select from pg_roles where rolname = $1', [name])
  const role = pg.escapeIdentifier(name)
  // The verifier and not the password: statements may be logged.
  const secret = pg.escapeLiteral(scramVerifier(password))
  try {
    await client.query(
      known.length > 0
        ? `alter role ${role} login noinherit password ${secret}`
        : `create role ${role} login noinherit password ${secret} in role breakwater_tenant, breakwater_step`,
    )
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new TenantLoginError(
      `The user of DATABASE_URL may not make the login of callers' transactions (${(error as Error).message}).\n${byHand('breakwater_caller')}`,
    )
  }
}

/** What PostgreSQL keeps of a password (RFC 5803). */
function scramVerifier(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}

/** The same address with another user. */
export function withUser(url: string, name: string, password: string): string {
  const rest = url.replace(/^postgres(?:ql)?:\/\/(?:[^@/?]*@)?/, '').replace(/([?&])(?:user|password)=[^&]*/g, '$1')
  return `postgres://${encodeURIComponent(name)}:${encodeURIComponent(password)}@${rest}`
}

/** Reads the login as the owner and tries it. Throws `TenantLoginError` where it may do more than callers should. */
export async function readTenantLogin(
  owner: pg.Pool,
  url: string,
  tenantUrl: string | undefined,
): Promise<TenantLogin> {
  const { rows } = await owner.query<Row>('select name, password, key from tenant_login')
  if (!rows[0]) throw new TenantLoginError("there is no login for callers' transactions yet: run the command `migrate`")
  const { name, password, key } = rows[0]
  const login = { url: tenantUrl ?? withUser(url, name, password), key }
  await requireHarmless(login)
  return login
}

/** Refuses a login that could get round row-level security, or that leads to another database. */
async function requireHarmless({ url, key }: TenantLogin): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, boolean | string>>(
      `select session_user as name, rolsuper, rolbypassrls, rolcreaterole, rolreplication,
         pg_has_role(session_user, 'breakwater_tenant', 'member') and pg_has_role(session_user, 'breakwater_step', 'member') as fits,
         pg_has_role(session_user, 'breakwater_system', 'member') as is_system,
         exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
           and pg_has_role(session_user, c.relowner, 'member')) as owns
       from pg_roles where rolname = session_user`,
    )
    const { name, fits, ...more } = rows[0]!
    const tooMuch = Object.keys(more).filter((right) => more[right] === true)
    if (tooMuch.length > 0)
      throw new TenantLoginError(
        `the login ${name} of callers' transactions may do too much (${tooMuch.join(', ')}).\n${byHand('breakwater_caller')}`,
      )
    if (!fits) throw new TenantLoginError(`the login ${name} lacks its roles.\n${byHand(String(name))}`)
    const { rows: found } = await client.query("select set_config('app.step', $1, false), app_steps() as holds", [key])
    const { rows: again } = await client.query('select app_steps() as holds')
    if (!(found.length > 0 && again[0]?.holds))
      throw new TenantLoginError('DATABASE_TENANT_URL leads to another database than DATABASE_URL')
  } finally {
    await client.end()
  }
}

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

/** A scope as the settings that the policies read, and the proof that they were set by the server. */
export function scopeSettings(scope: Scope, key: string): Record<string, string> {
  const settings = {
    'app.tenant': String(scope.tenantId),
    'app.operator': scope.tier === 'client' ? String(scope.tenantId) : '',
    'app.vendor': scope.tier === 'admin' ? 'on' : '',
    'app.sites': idList(scope.siteIds),
    'app.zones': idList(scope.zoneIds),
    'app.account': scope.accountId ? String(scope.accountId) : '',
  }
  // As app_scope_holds() reads it.
  const text = [key, ...Object.values(settings), key].join('|')
  return { ...settings, 'app.proof': createHash('sha256').update(text).digest('hex') }
}
