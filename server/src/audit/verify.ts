/**
 * Walks the audit log's hash chains and recomputes every hash here, independently of the database's implementation.
 * Keep the printed heads elsewhere: they also reveal if the newest entries were cut off later.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { DatabaseHandle } from '../db/database.ts'

const batch = 5000

/** The fields in hashing order, each as the text that is hashed. */
const fields = [
  'id::text',
  `to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
  'tenant_id::text',
  'account_id::text',
  'account_name',
  'tier',
  'action',
  'method',
  'url',
  'request_id',
  'address',
  'site_id::text',
  'subject_tenant_id::text',
  'token_name',
  'proxy_name',
  'proxy_account_id::text',
  'status::text',
  'detail::text',
]

const fieldOf = (value: string | null) => (value === null ? '-,' : `${Buffer.byteLength(value)}:${value},`)

type Row = { id: number; tenant: number; previous: Buffer; hash: Buffer; content: (string | null)[] }

async function* entries(pool: pg.Pool): AsyncGenerator<Row> {
  let after: [number, number] = [0, 0]
  for (;;) {
    const { rows } = await pool.query<Row>(
      `select id, tenant_id as tenant, previous, hash, array[${fields.join(', ')}] as content from audit
       where (tenant_id, id) > ($1, $2) order by tenant_id, id limit ${batch}`,
      after,
    )
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = [last.tenant, last.id]
  }
}

export type Chain = { tenantId: number; entries: number; head: string }
export type Break = { tenantId: number; entry: number; what: 'changed' | 'missing before it' }

/** Verifies every tenant's chain. Reports each entry that does not match and continues from the hash it claims. */
export async function verifyAudit({ pool }: DatabaseHandle): Promise<{ chains: Chain[]; breaks: Break[] }> {
  const chains: Chain[] = []
  const breaks: Break[] = []
  let chain: Chain | undefined
  for await (const row of entries(pool)) {
    if (chain?.tenantId !== row.tenant) {
      chain = { tenantId: row.tenant, entries: 0, head: '' }
      chains.push(chain)
    }
    if (row.previous.toString('hex') !== chain.head) {
      breaks.push({ tenantId: row.tenant, entry: row.id, what: 'missing before it' })
    }
    const hash = createHash('sha256').update(row.previous).update(row.content.map(fieldOf).join('')).digest()
    if (!hash.equals(row.hash)) breaks.push({ tenantId: row.tenant, entry: row.id, what: 'changed' })
    chain.entries += 1
    chain.head = row.hash.toString('hex')
  }
  return { chains, breaks }
}
