/** Whether letters can be delivered: the operator's mail settings have passed their test. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Database } from '../db/database.ts'

/** Whether an operator's people and customers can get mail. The vendor's own people have no mail settings. */
export async function isMailReady(db: Database, operatorId: number, tier: Tier): Promise<boolean> {
  if (tier === 'admin') return false
  const row = await db
    .selectFrom('signInPolicies')
    .select('mailTested')
    .where('tenantId', '=', operatorId)
    .executeTakeFirst()
  return row?.mailTested ?? false
}
