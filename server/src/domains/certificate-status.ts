/** The state of the certificate a domain currently serves, for lists and filters. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { anyOf } from '../publish/gather.ts'

/** The certificates that a row of `domains` may serve: valid ones first, among those uploaded ones first. */
const shown = sql`
  select c.id, c.name, c.source, c.not_before, c.not_after from certificates c
  where c.site_id = domains.site_id and (
    exists (select from domain_certificates b where b.domain_id = domains.id and b.certificate_id = c.id)
    or (c.source = 'automatic' and domains.auto_ssl and domains.name = any (c.names)))
  order by (c.not_after > now()) desc, c.source desc, c.not_after desc limit 1`

/**
 * The `certStatuses` value of a row of `domains`. A certificate counts as expiring in its last 30 days, or the last
 * third of a short lifetime.
 */
export const certStatusOf: RawBuilder<number> = sql<number>`coalesce(
  (select case when s.not_after <= now() then 3
     when s.not_after < now() + least(interval '30 days', (s.not_after - s.not_before) / 3) then 2 else 1 end
   from (${shown}) s),
  case when domains.auto_ssl then coalesce(
    (select case when o.state = 'failed' then 5 end from certificate_orders o where o.domain_id = domains.id), 4)
  else 0 end)`

export type DomainCertificate = { id: number; name: string; expired: string; detail: string }

/** The certificate of each of these domains, and what went wrong with its order. */
export async function shownCertificates(db: Database, domainIds: number[]): Promise<Map<number, DomainCertificate>> {
  const { rows } = await sql<{
    domainId: number
    id: number | null
    name: string
    notAfter: Date | null
    detail: string
  }>`
    select domains.id as domain_id, s.id, coalesce(s.name, '') as name, s.not_after, coalesce(o.detail, '') as detail
    from domains left join lateral (${shown}) s on true
    left join certificate_orders o on o.domain_id = domains.id
    where domains.id = ${anyOf(domainIds)} and (s.id is not null or o.domain_id is not null)`.execute(db)
  return new Map(
    rows.map(({ domainId, id, name, notAfter, detail }) => [
      domainId,
      { id: id ?? 0, name, expired: notAfter?.toISOString() ?? '', detail },
    ]),
  )
}
