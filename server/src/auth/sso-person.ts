/**
 * Maps a provider's person to an account: linked before, matched by verified e-mail, or created if the settings allow
 * it.
 */
import { randomInt } from 'node:crypto'
import { AccountName, genericCharsMax } from '@breakwater/contract/fields.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Person } from './sso-provider.ts'

type Settings = {
  id: number
  tenantId: number
  tier: 'user' | 'client' | 'admin'
  matchesEmail: boolean
  createsAccounts: boolean
}

/**
 * The accounts a provider may vouch for: its tenant's own people and, in the customers' console, those of its
 * customers.
 */
const inReach = ({ tenantId, tier }: Settings) =>
  tier === 'user'
    ? sql<boolean>`accounts.tenant_id in (select t.id from tenants t where t.operator_id = ${tenantId})`
    : sql<boolean>`accounts.tenant_id = ${tenantId}`

const columns = ['accounts.id', 'accounts.tenantId', 'accounts.account', 'accounts.status'] as const

/** Finds or creates the account. Returns undefined if the person is not known here. Runs as the system. */
export async function accountOf(db: Database, settings: Settings, person: Person) {
  const of = db
    .selectFrom('accounts')
    .select(columns)
    .where('accounts.tier', '=', settings.tier)
    .where(inReach(settings))
  const linked = await of
    .innerJoin('ssoLinks', 'ssoLinks.accountId', 'accounts.id')
    .where('ssoLinks.providerId', '=', settings.id)
    .where('ssoLinks.subject', '=', person.subject)
    .executeTakeFirst()
  if (linked) return linked
  // Anybody could have entered an address there that the provider has not verified.
  if (!person.emailVerified || person.email === '') return undefined
  const matched = await of.where(sql`lower(accounts.email)`, '=', person.email).executeTakeFirst()
  if (matched && !settings.matchesEmail) return undefined
  const account = matched ?? (settings.createsAccounts ? await makeAccount(db, settings, person) : undefined)
  if (!account) return undefined
  await db
    .insertInto('ssoLinks')
    .values({ providerId: settings.id, subject: person.subject, accountId: account.id })
    .execute()
  return account
}

/** Creates a new customer in the customers' console, elsewhere a colleague without permissions. */
async function makeAccount(db: Database, { tenantId: owner, tier }: Settings, person: Person) {
  const isCustomer = tier === 'user'
  const name = person.name.slice(0, genericCharsMax)
  const root = await db
    .selectFrom('accounts')
    .select('id')
    .where('tenantId', '=', owner)
    .where('isRoot', '=', true)
    .orderBy('id')
    .executeTakeFirst()
  const { id: tenantId } = isCustomer
    ? await db
        .insertInto('tenants')
        .values({ kind: 'customer', name, operatorId: owner })
        .returning('id')
        .executeTakeFirstOrThrow()
    : { id: owner }
  const row = {
    tenantId,
    tier,
    name,
    email: person.email,
    account: await freeName(db, tier, person.email),
    parentId: root?.id ?? null,
    isRoot: isCustomer,
    passwordHash: null,
  }
  return db.insertInto('accounts').values(row).returning(columns).executeTakeFirstOrThrow()
}

async function freeName(db: Database, tier: Settings['tier'], email: string): Promise<string> {
  const plain = email
    .split('@')[0]!
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50)
  const wanted = AccountName.safeParse(plain).success ? plain : 'member'
  const taken = await db
    .selectFrom('accounts')
    .select('id')
    .where('tier', '=', tier)
    .where(sql`lower(account)`, '=', wanted.toLowerCase())
    .executeTakeFirst()
  return taken ? `${wanted}-${randomInt(100_000, 1_000_000)}` : wanted
}
