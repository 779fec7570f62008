/** The domains of all sites that the caller can see. */
import { metaMax } from '@breakwater/contract/domains/bulk.ts'
import { domainDirectory } from '@breakwater/contract/domains/directory.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { containing } from '../db/paging.ts'
import { type Feature, implement } from '../http/implement.ts'
import { anyOf } from '../publish/gather.ts'
import { cnameStatusesOf } from './domains.store.ts'
import { type Domains, foundPage, foundRows, tagged } from './find-domains.ts'

/**
 * Looked up per row. PostgreSQL plans a join for the few names it always expects to match, which took half a minute
 * when all match.
 */
const siteName = sql<string>`(select s.name from sites s where s.id = domains.site_id)`
const customer = sql<string>`(select t.name from tenants t where t.id = domains.tenant_id)`
const sortColumns = {
  domainName: sql`domains.name`,
  siteName,
  createdAt: sql`domains.created_at`,
} as const

/**
 * Which of the requested sites the caller may see, as row-level security decides; all of them if none are requested.
 */
async function sitesOf(db: Database, asked: number[], named?: string): Promise<number[]> {
  let sites = db.selectFrom('sites').select('id').where('removedAt', 'is', null)
  if (asked.length > 0) sites = sites.where('id', '=', anyOf(asked))
  if (named) sites = sites.where('name', 'ilike', containing(named))
  return (await sites.execute()).map(({ id }) => id)
}

/**
 * Domains of sites that the caller may see. Queried as the system: checking a policy for each of 100,000 rows would
 * take seconds.
 */
const ofSites = (domains: Domains, siteIds: number[]) => domains.where('domains.siteId', '=', anyOf(siteIds))

async function tagsOf(db: Database, asked: number[]) {
  const siteIds = await sitesOf(db, asked)
  // Each tag in one spelling, the most frequent one.
  const { rows } = await asSystem(db, (tx) =>
    sql<{ tag: string }>`
      select distinct on (lower(tag)) tag from (
        select tag, count(*) as n from domains, unnest(tags) as tag where site_id = any(${siteIds}::int[]) group by tag) t
      order by lower(tag), n desc, tag`.execute(tx),
  )
  return { data: rows, total: rows.length }
}

type Conditions = (domains: Domains) => Domains

/** The first domains of these sites by name, and whether there are more. */
async function firstOf(db: Database, siteIds: number[], keyword: string | undefined, conditions: Conditions) {
  const rows = await foundRows(db, keyword, {
    conditions: (domains) => conditions(ofSites(domains, siteIds)),
    order: [sql`domains.name`, 'asc'],
    ...{ page: 1, pageSize: metaMax + 1 },
    read: (domains) => domains.select(['domains.id', 'domains.name', 'domains.siteId']).execute(),
  })
  const data = rows.slice(0, metaMax).map(({ id, name, siteId }) => ({ id, name, siteID: siteId }))
  return { data, total: data.length, isMore: rows.length > metaMax }
}

export function domainDirectoryFeature(): Feature {
  return implement(domainDirectory, {
    async list({ db, query }) {
      const { page, pageSize, sortBy = 'createdAt', orderBy, domainName, siteID, tags, status, ownership } = query
      const siteIds = await sitesOf(db, siteID === undefined ? [] : [siteID])
      const conditions = (domains: Domains) => {
        let found = ofSites(domains, siteIds)
        if (tags && tags.length > 0) found = found.where(tagged(tags))
        if (status !== undefined) found = found.where('domains.status', '=', status)
        if (ownership) found = found.where('domains.ownership', '=', ownership)
        return found
      }
      const { rows, total } = await asSystem(db, (tx) =>
        foundPage(tx, domainName, {
          ...{ conditions, page, pageSize, order: [sortColumns[sortBy], orderBy], isIndexed: sortBy !== 'siteName' },
          read: (domains) =>
            domains
              .select(['domains.id', 'domains.name', 'domains.siteId', siteName.as('siteName'), 'domains.tags'])
              .select(['domains.status', 'domains.ownership', 'domains.dnsState', 'domains.createdAt'])
              .select(customer.as('customer'))
              .execute(),
        }),
      )
      const data = rows.map(({ id, name, siteId, createdAt, customer, dnsState, ...row }) => ({
        ...row,
        id,
        domainName: name,
        siteID: siteId,
        cnameStatuses: cnameStatusesOf(dnsState),
        user: { name: customer },
        createdAt: createdAt.toISOString(),
      }))
      return { data, total }
    },

    allTags: ({ db }) => tagsOf(db, []),

    tags: ({ db, body }) => tagsOf(db, body.siteIDs),

    async meta({ db, body: { siteIDs, tags, keyword } }) {
      const siteIds = await sitesOf(db, siteIDs)
      return asSystem(db, (tx) =>
        firstOf(tx, siteIds, keyword, (domains) => (tags.length > 0 ? domains.where(tagged(tags)) : domains)),
      )
    },

    async ids({ db, query: { name, siteName, siteID } }) {
      const siteIds = await sitesOf(db, siteID === undefined ? [] : [siteID], siteName)
      return asSystem(db, (tx) => firstOf(tx, siteIds, name, (domains) => domains))
    },
  })
}
