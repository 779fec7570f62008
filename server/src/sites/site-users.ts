/**
 * Who may see a site. Grants are for accounts without access to all sites; what an account may do there follows from
 * its roles.
 */

import { type SiteUser, siteUsers } from '@breakwater/contract/sites/site-users.ts'
import { sql } from 'kysely'
import { below, requireBelow, requireKnown, type Target } from '../account/known-accounts.ts'
import type { Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault } from '../http/fault.ts'
import { type AuditNote, type Caller, type Feature, implement } from '../http/implement.ts'
import { requireSite } from '../publish/change-site.ts'

/** The accounts below the caller that see a site: by a grant, or by access to all sites of its tenant. */
function seers(db: Database, caller: Caller, site: { id: number; tenantId: number }, granted: boolean | undefined) {
  const given = sql<boolean>`exists (select from site_grants g where g.account_id = accounts.id and g.site_id = ${site.id})`
  const all = sql<boolean>`accounts.all_sites and accounts.tenant_id = ${site.tenantId}`
  const sees =
    granted === undefined
      ? sql<boolean>`(${given} or ${all})`
      : granted
        ? given
        : sql<boolean>`(${all} and not ${given})`
  return { rows: db.selectFrom('accounts').where(below(caller)).where(sees), given }
}

/**
 * The sites, all of one tenant, and the accounts, all of which may be granted sites of it. Otherwise throws as if they
 * did not exist.
 */
async function requireBoth(db: Database, caller: Caller, body: { siteIDs: number[]; userIDs: number[] }) {
  const ids = [...new Set(body.siteIDs)]
  const found = await db
    .selectFrom('sites')
    .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
    .select(['sites.id', 'sites.name', 'sites.tenantId', 'tenants.operatorId'])
    .where('sites.id', 'in', ids)
    .where('sites.removedAt', 'is', null)
    .execute()
  const tenantId = found[0]?.tenantId
  if (found.length !== ids.length || found.some((site) => site.tenantId !== tenantId))
    throw new Fault('permissionDenied')
  const people: Target[] = []
  for (const id of [...new Set(body.userIDs)].sort((a, b) => a - b)) {
    const target = await requireBelow(db, caller, id)
    const fits = target.tenantId === tenantId || target.tenantId === found[0]!.operatorId
    // A root account sees everything already; a grant to one would only be misleading.
    if (!fits || target.isRoot) throw new Fault('permissionDenied')
    people.push(target)
  }
  return { sites: found, people, tenantId: tenantId! }
}

type Both = Awaited<ReturnType<typeof requireBoth>>

function note(audit: AuditNote, { sites, people, tenantId }: Both): void {
  audit.subjectTenantId = tenantId
  if (sites.length === 1) audit.siteId = sites[0]!.id
  audit.detail = {
    sites: sites.map(({ id, name }) => ({ id, name })),
    accounts: people.map(({ id, account }) => ({ id, account })),
  }
}

export function siteUsersFeature(): Feature {
  return implement(siteUsers, {
    async list({ db, caller, siteId, query }) {
      const site = await requireSite(db, siteId)
      const { rows, given } = seers(db, caller, site, query.granted)
      const found = await rows
        .select(['id', 'name', 'email', 'account', 'isRoot', given.as('granted')])
        .select(
          sql<string[]>`array(select r.name from roles r join account_roles a on a.role_id = r.id
            where a.account_id = accounts.id order by r.name)`.as('roles'),
        )
        .orderBy('isRoot', 'desc')
        .orderBy('name')
        .orderBy('id')
        .$call(onePage(query))
        .execute()
      const total = await countOf(rows)
      return { data: found satisfies SiteUser[], total }
    },

    async set({ db, caller, body, audit }) {
      const both = await requireBoth(db, caller, body)
      const { sites, people, tenantId } = both
      const pairs = sites.flatMap(({ id }) => people.map((who) => ({ tenantId, siteId: id, accountId: who.id })))
      await db
        .insertInto('siteGrants')
        .values(pairs)
        .onConflict((on) => on.doNothing())
        .execute()
      note(audit, both)
    },

    async remove({ db, caller, body, audit }) {
      const both = await requireBoth(db, caller, body)
      await db
        .deleteFrom('siteGrants')
        .where(
          'siteId',
          'in',
          both.sites.map(({ id }) => id),
        )
        .where(
          'accountId',
          'in',
          both.people.map(({ id }) => id),
        )
        .execute()
      note(audit, both)
    },

    async ofAccount({ db, caller, userId, query }) {
      const target = await requireKnown(db, caller, userId)
      const given = db
        .selectFrom('siteGrants')
        .innerJoin('sites', 'sites.id', 'siteGrants.siteId')
        .where('siteGrants.accountId', '=', target.id)
        .where('sites.removedAt', 'is', null)
      const rows = await given
        .select(['sites.id', 'sites.name'])
        .orderBy('sites.name')
        .orderBy('sites.id')
        .$call(onePage(query))
        .execute()
      const total = await countOf(given)
      return { data: rows.map(({ id, name }) => ({ siteID: id, siteName: name })), total }
    },
  })
}
