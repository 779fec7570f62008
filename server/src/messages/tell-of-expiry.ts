/**
 * A job: warns of certificates and sites that end soon. Those that reached a stage together are one message per
 * recipient.
 */
import type { NotifyEvent } from '@breakwater/contract/messages/notify.ts'
import { expiryGraceDays } from '@breakwater/contract/sites/operator-sites.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { firstStage, stageDue } from './expiry-stages.ts'
import { notify } from './notify.ts'

type Ending = {
  id: number
  siteId: number
  tenantId: number
  operatorId: number | null
  site: string
  /** The domains that are served with a certificate; empty for a site. */
  domains: string[]
  endsAt: Date
  /** `endsAt` to the microsecond, as the database writes it. */
  ends: string
  /** The lifetime in seconds; null if unbounded. */
  life: number | null
  told: number | null
}
type Due = Ending & { stage: number }
type Kind = {
  event: NotifyEvent
  table: 'certificates' | 'sites'
  find: (db: Database, now: Date, until: Date) => Promise<{ rows: Ending[] }>
  values: (due: Due[]) => Record<string, string>
}

/** A message lists this many; for the rest it gives the number. */
const listedMax = 20
/** Failed renewals before anybody is warned: the first ones are retried within minutes. */
const failuresToTell = 3

const andMore = (first: string, count: number) => (count > 1 ? `${first} +${count - 1}` : first)
const momentText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** One paragraph per line, independent of the language. */
function listOf(lines: string[]): string {
  const rest = lines.length - listedMax
  return [...lines.slice(0, listedMax), ...(rest > 0 ? [`+ ${rest}`] : [])].join('\n\n')
}

/**
 * Uploaded certificates of served domains, and automatic ones whose renewal keeps failing, unless an uploaded one
 * replaces them.
 */
const certificates: Kind = {
  event: 'certificateEnding',
  table: 'certificates',
  find: (db, now, until) =>
    sql<Ending>`
      select c.id, c.site_id, c.tenant_id, t.operator_id, s.name as site, array_agg(d.name order by d.name) as domains,
        c.not_after as ends_at, c.not_after::text as ends,
        extract(epoch from c.not_after - c.not_before)::float8 as life,
        case when c.warned_end = c.not_after then c.warned_seconds end as told
      from certificates c
      join tenants t on t.id = c.tenant_id
      join sites s on s.id = c.site_id and s.removed_at is null
      join domains d on d.site_id = c.site_id and d.status = 1 and d.ownership <> 'pending' and (
        exists (select from domain_certificates b where b.domain_id = d.id and b.certificate_id = c.id)
        or d.auto_ssl and exists (
          select from certificate_orders o where o.domain_id = d.id and o.certificate_id = c.id
            and o.state = 'failed' and o.attempts >= ${failuresToTell})
        and not exists (
          select from domain_certificates b join certificates u on u.id = b.certificate_id
          where b.domain_id = d.id and u.not_after > c.not_after))
      where c.not_after > ${now} and c.not_after <= ${until}
      group by c.id, t.operator_id, s.name
      order by c.not_after, c.id`.execute(db),
  values: (due) => ({
    domain: andMore(due[0]!.domains[0]!, due.length),
    list: listOf(
      due.map(({ domains, site, endsAt }) =>
        [andMore(domains[0]!, domains.length), site, momentText(endsAt)].join(' · '),
      ),
    ),
  }),
}

const sites: Kind = {
  event: 'siteExpiring',
  table: 'sites',
  find: (db, now, until) =>
    sql<Ending>`
      select s.id, s.id as site_id, s.tenant_id, t.operator_id, s.name as site, '{}'::text[] as domains,
        s.expired_at as ends_at, s.expired_at::text as ends, null as life,
        case when s.warned_end = s.expired_at then s.warned_seconds end as told
      from sites s join tenants t on t.id = s.tenant_id
      where s.removed_at is null and s.expired_at > ${now} and s.expired_at <= ${until}
      order by s.expired_at, s.id`.execute(db),
  values: (due) => ({
    site: andMore(due[0]!.site, due.length),
    days: String(expiryGraceDays),
    list: listOf(due.map(({ site, endsAt }) => `${site} · ${momentText(endsAt)}`)),
  }),
}

/**
 * Warns customers and their operators. Marked as sent last: an interrupted run repeats a warning rather than losing it.
 */
export async function tellOfExpiry(
  { database: { db } }: Pick<Services, 'database'>,
  nowMs = Date.now(),
): Promise<void> {
  const until = new Date(nowMs + firstStage * 1000)
  for (const kind of [certificates, sites]) {
    const { rows } = await withSystem(db, (tx) => kind.find(tx, new Date(nowMs), until))
    const due = rows.flatMap((one): Due[] => {
      const left = (one.endsAt.getTime() - nowMs) / 1000
      const stage = stageDue({ left, life: one.life ?? Number.POSITIVE_INFINITY, told: one.told })
      return stage === undefined ? [] : [{ ...one, stage }]
    })
    if (due.length === 0) continue
    // One transaction per tenant: one that locked the people of many tenants could deadlock with others that lock them
    // in another order.
    for (const [tenantId, own] of concernedBy(due)) {
      const about = `${kind.table}/${own[0]!.id}/${own[0]!.stage}`
      const siteIds = own.map(({ siteId }) => siteId)
      const values = (reached: readonly number[]) => kind.values(own.filter(({ siteId }) => reached.includes(siteId)))
      await withSystem(db, (tx) => notify(tx, { event: kind.event, tenantId, about, siteIds, values }))
    }
    await withSystem(db, (tx) => noteTold(tx, kind.table, due))
  }
}

/** What concerns each tenant: customers what is their own, operators what belongs to any of their customers. */
function concernedBy(due: Due[]): Map<number, Due[]> {
  const pairs = due.flatMap((one) => [
    { told: one.tenantId, one },
    ...(one.operatorId === null ? [] : [{ told: one.operatorId, one }]),
  ])
  const groups = Map.groupBy(pairs, ({ told }) => told)
  return new Map([...groups].map(([tenantId, own]) => [tenantId, own.map(({ one }) => one)]))
}

async function noteTold(db: Database, table: Kind['table'], due: Due[]): Promise<void> {
  const column = <T>(of: (one: Due) => T) => due.map(of)
  // Locked in the order that a change of many sites uses.
  await sql`
    with held as (
      select id from ${sql.table(table)} where id = any(${column(({ id }) => id)}::int[]) order by id for no key update)
    update ${sql.table(table)} as one set warned_end = told.ends, warned_seconds = told.stage
    from unnest(${column(({ id }) => id)}::int[], ${column(({ ends }) => ends)}::timestamptz[],
      ${column(({ stage }) => stage)}::int[]) as told (id, ends, stage)
    join held on held.id = told.id where one.id = told.id`.execute(db)
}
