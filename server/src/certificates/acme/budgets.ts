/**
 * Keeps within the authorities' rate limits (letsencrypt.org/docs/rate-limits), so that one customer's names do not use
 * up the shared limits.
 */
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

type Asked = { tenantId: number; directory: string; name: string }

const limits = [
  { kind: 'order', by: 'account', max: 300, span: '3 hours' },
  { kind: 'order', by: 'registered_domain', max: 50, span: '7 days' },
  { kind: 'order', by: 'name', max: 5, span: '7 days' },
  { kind: 'failure', by: 'name', max: 5, span: '1 hour' },
] as const

/**
 * The registered domain under which authorities count. Under a short second-level label of a country (`example.co.uk`)
 * it has three labels.
 */
export function registeredDomain(name: string): string {
  const labels = name.split('.')
  const isCountry = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3
  return labels.slice(isCountry ? -3 : -2).join('.')
}

/**
 * Whether one more order may be placed. A renewal that names the certificate it replaces does not count as an order.
 * Runs as the system.
 */
export async function mayOrder(
  db: Database,
  { tenantId, directory, name }: Asked,
  isReplacing: boolean,
): Promise<boolean> {
  for (const { kind, by, max, span } of limits) {
    if (isReplacing && kind === 'order') continue
    const same =
      by === 'account'
        ? sql`true`
        : by === 'name'
          ? sql`name = ${name}`
          : sql`registered_domain = ${registeredDomain(name)}`
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from acme_events
      where tenant_id = ${tenantId} and directory = ${directory} and kind = ${kind} and ${same}
        and at > now() - ${span}::interval`.execute(db)
    if (rows[0]!.n >= max) return false
  }
  return true
}

/** Records an order or a failed one, and deletes records older than every limit. */
export async function noteEvent(
  db: Database,
  { tenantId, directory, name }: Asked,
  kind: 'order' | 'failure',
): Promise<void> {
  await db
    .insertInto('acmeEvents')
    .values({ tenantId, directory, name, kind, registeredDomain: registeredDomain(name) })
    .execute()
  await sql`delete from acme_events where tenant_id = ${tenantId} and at < now() - interval '8 days'`.execute(db)
}
