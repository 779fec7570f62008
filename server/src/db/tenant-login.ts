/**
 * The login for callers' transactions: a PostgreSQL account that owns nothing and may only assume the callers' roles.
 * Created at startup if the database user may do so; otherwise the operator creates it and configures it.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'

/**
 * What the server's processes need to use the login. `key` proves to the database that a scope or a step comes from the
 * server.
 */
export type TenantLogin = { url: string; key: string }

type Row = { name: string; password: string; key: string }

/** The login is unavailable, or may do more than it should: nothing starts until somebody acts. */
export class TenantLoginError extends Error {}

const byHand = (
  name: string,
) => `Make it as a superuser (the role breakwater_step too, where it is missing: create role breakwater_step nologin):
  create role ${name} login noinherit password '…' in role breakwater_tenant, breakwater_step;
and start with DATABASE_TENANT_URL=postgres://${name}:…@host/database beside DATABASE_URL.`

/**
 * Creates the login if it is missing, with the password stored in the database; that also works after a restore and on
 * another PostgreSQL server. With `tenantUrl` the operator has created it. Runs as the owner. Throws
 * `TenantLoginError`.
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
  // The SCRAM verifier instead of the password: statements may be logged.
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

/** The form in which PostgreSQL stores a password (RFC 5803). */
function scramVerifier(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}

/** The same URL with another user. */
export function withUser(url: string, name: string, password: string): string {
  const rest = url.replace(/^postgres(?:ql)?:\/\/(?:[^@/?]*@)?/, '').replace(/([?&])(?:user|password)=[^&]*/g, '$1')
  return `postgres://${encodeURIComponent(name)}:${encodeURIComponent(password)}@${rest}`
}

/** Reads the login as the owner and tests it. Throws `TenantLoginError` if it may do more than callers should. */
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

/** Throws if the login could bypass row-level security, or connects to another database. */
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
  /** The sites the caller may access; undefined means all that its tenant may see. */
  siteIds?: readonly number[] | undefined
  /** The zones that an operator's sub-account manages; undefined means all. */
  zoneIds?: readonly number[] | undefined
  /** The account that runs the transaction, for rows that a person created themselves. */
  accountId?: number | undefined
}

// An empty list is not the same as no list; 0 is never an id.
const idList = (ids: readonly number[] | undefined): string => (ids ? [0, ...ids].join() : '')

/** A scope as the settings that the policies read, and the proof that the server set them. */
export function scopeSettings(scope: Scope, key: string): Record<string, string> {
  const settings = {
    'app.tenant': String(scope.tenantId),
    'app.operator': scope.tier === 'client' ? String(scope.tenantId) : '',
    'app.vendor': scope.tier === 'admin' ? 'on' : '',
    'app.sites': idList(scope.siteIds),
    'app.zones': idList(scope.zoneIds),
    'app.account': scope.accountId ? String(scope.accountId) : '',
  }
  // Must match app_scope_holds().
  const text = [key, ...Object.values(settings), key].join('|')
  return { ...settings, 'app.proof': createHash('sha256').update(text).digest('hex') }
}
