/** Banned addresses as people see them, and lifting their bans. */
import { type BlockedIp, blockIPs } from '@breakwater/contract/bans/block-ips.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'
import { anyOf } from '../publish/gather.ts'
import { liftBans } from './lift-bans.ts'
import { withoutWholeMask } from './read-bans.ts'

type Filter = {
  siteID?: number | undefined
  ips?: string[] | undefined
  causes?: string[] | undefined
  zoneID?: number | undefined
}

const sortColumns = {
  ip: 'bans.address',
  siteName: 'sites.name',
  createdAt: 'bans.createdAt',
  expired: 'bans.until',
} as const

/** The most addresses named in an audit entry. */
const namedMax = 20

/** The requested sites that the caller may see, as row-level security decides. */
async function sitesOf(db: Database, { tier }: Caller, { siteID, zoneID }: Filter): Promise<number[]> {
  if (zoneID !== undefined && tier !== 'client') throw fieldFault('zoneID', 'notAllowed')
  let sites = db.selectFrom('sites').select('id').where('removedAt', 'is', null)
  if (siteID !== undefined) sites = sites.where('id', '=', siteID)
  return (await sites.execute()).map(({ id }) => id)
}

/**
 * The active bans of these sites. Queried as the system: checking a policy for each of 100,000 rows would take seconds.
 */
function bansOf(db: Database, siteIds: number[], { ips, causes, zoneID }: Filter) {
  let found = db
    .selectFrom('bans')
    .innerJoin('sites', 'sites.id', 'bans.siteId')
    .where('bans.until', '>', sql<Date>`now()`)
    .where('bans.liftedAt', 'is', null)
    .where('bans.siteId', '=', anyOf(siteIds))
  if (causes && causes.length > 0) found = found.where('bans.guard', 'in', causes)
  if (zoneID !== undefined) found = found.where('bans.zoneId', '=', zoneID)
  return ips && ips.length > 0 ? found.where(meets(ips)) : found
}

/** Whether a ban overlaps one of the entries. */
function meets(ips: string[]) {
  const ends = ips.map((text) => {
    const [first = text, last] = text.split('-')
    return { first, last: last ?? first }
  })
  return sql<boolean>`exists (
    select from unnest(${ends.map(({ first }) => first)}::inet[], ${ends.map(({ last }) => last)}::inet[]) as asked(first, last)
    where family(bans.address) = family(asked.first)
      and host(network(bans.address))::inet <= host(broadcast(asked.last))::inet
      and host(broadcast(bans.address))::inet >= host(network(asked.first))::inet)`
}

type Found = ReturnType<typeof bansOf>
type Row<Query> = Query extends SelectQueryBuilder<infer _DB, infer _TB, infer R> ? R : never

const rowsOf = (found: Found) =>
  found
    .select(['bans.siteId', 'sites.name as siteName', 'bans.guard', 'bans.zoneId', 'bans.createdAt', 'bans.until'])
    .select(['bans.rule', 'bans.requestId', 'bans.reference', 'bans.node', sql<string>`bans.address::text`.as('ip')])

function blockedIp(row: Row<ReturnType<typeof rowsOf>>): BlockedIp {
  return {
    ip: withoutWholeMask(row.ip),
    ...{ siteID: row.siteId, siteName: row.siteName, causes: [row.guard], zoneID: row.zoneId },
    ...{ createdAt: row.createdAt.toISOString(), expired: row.until.toISOString() },
    ...{ rule: row.rule, reqID: row.requestId, reference: row.reference, node: row.node },
  }
}

export function blockIPsFeature(): Feature {
  return implement(blockIPs, {
    async list({ db, caller, query }) {
      const { page, pageSize, sortBy = 'createdAt', orderBy, ...filter } = query
      const siteIds = await sitesOf(db, caller, filter)
      return asSystem(db, async (tx) => {
        const found = bansOf(tx, siteIds, filter)
        const rows = await rowsOf(found)
          .orderBy(sortColumns[sortBy], orderBy)
          .orderBy('bans.siteId', orderBy)
          .orderBy('bans.address', orderBy)
          .$call(onePage({ page, pageSize }))
          .execute()
        return { data: rows.map(blockedIp), total: await countOf(found) }
      })
    },

    async remove({ db, caller, body, audit }) {
      // Lifting everything would be more than somebody meant who forgot a field.
      if (Object.values(body).every((value) => value === undefined)) throw fieldFault('ips', 'required')
      const siteIds = await sitesOf(db, caller, body)
      const lifted = await asSystem(db, async (tx) => {
        const bans = await bansOf(tx, siteIds, body)
          .select(['bans.siteId', sql<string>`bans.address::text`.as('address')])
          .execute()
        await liftBans(tx, bans)
        return bans
      })
      if (body.siteID !== undefined && lifted.length > 0) audit.siteId = body.siteID
      const ips = lifted.slice(0, namedMax).map(({ address }) => withoutWholeMask(address))
      audit.detail = { ...body, ips, count: lifted.length }
    },
  })
}
