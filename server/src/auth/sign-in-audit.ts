/** Audit entries for signing in and out, including failed attempts. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Database } from '../db/database.ts'
import { foreignText, storableJson } from '../db/foreign-text.ts'

export type Attempt = { tier: Tier; account: string; address: string; method: string; url: string; requestId: string }

type Known = { id: number; tenantId: number; account: string }

/** How many characters of a typed name are kept. */
const typedCharsMax = 64

/** Writes an audit entry. Unknown names go to the operator if there is exactly one, otherwise to the vendor. */
export async function auditSignIn(
  db: Database,
  attempt: Attempt,
  account: Known | undefined,
  action: 'auth.signIn' | 'auth.signIn.failed' | 'auth.signOut' | 'auth.password.forgot',
  detail?: object,
): Promise<void> {
  const { tier, address, method, url, requestId } = attempt
  await db
    .insertInto('audit')
    .values({
      tenantId: account?.tenantId ?? (await tenantOfStrangers(db, tier)),
      accountId: account?.id ?? null,
      accountName: account?.account ?? foreignText(attempt.account, typedCharsMax),
      tier,
      action,
      method,
      url: url.split('?')[0]!,
      requestId,
      address,
      status: action === 'auth.signIn.failed' ? 401 : 200,
      detail: detail ? storableJson(detail) : null,
    })
    .execute()
}

async function tenantOfStrangers(db: Database, tier: Tier): Promise<number> {
  const tenants = await db
    .selectFrom('tenants')
    .select(['id', 'kind'])
    .where('kind', 'in', tier === 'admin' ? ['vendor'] : ['vendor', 'operator'])
    .orderBy('id')
    .limit(3)
    .execute()
  const operators = tenants.filter(({ kind }) => kind === 'operator')
  const chosen = operators.length === 1 ? operators[0] : tenants.find(({ kind }) => kind === 'vendor')
  return chosen?.id ?? tenants[0]!.id
}
