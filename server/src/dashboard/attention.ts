/**
 * What needs attention: sites under attack, offline nodes, unverified domains, what is about to expire, sites that
 * nodes rejected or have not applied, WAF rule updates that were not tested. Newest first.
 */
import type { Attention } from '@breakwater/contract/dashboard/dashboard.ts'
import { certStatuses } from '@breakwater/contract/domains/domains.ts'
import { nodeStatuses, offlineAfterMs } from '@breakwater/contract/nodes/nodes.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { certStatusOf, shownCertificates } from '../domains/certificate-status.ts'
import type { Caller } from '../http/implement.ts'

/** Per kind, as many entries as a person would go through. */
const shownMax = 50
/** A change younger than this is still on its way, not late. */
const lateAfter = '1 minute'
/** Sites are listed this long before they expire. */
const expiringMs = 30 * 86_400_000

type LateSite = { siteId: number; node: string; reason: string | null; since: Date | null }

/** Enabled nodes that have not been heard from. Runs as the caller: customers see none. */
export async function nodesAway(db: Database): Promise<Attention[]> {
  const rows = await db
    .selectFrom('nodes')
    .select(['id', 'name', 'lastSeenAt'])
    .where('revokedAt', 'is', null)
    .where('status', '=', nodeStatuses.enabled)
    .where((where) =>
      where.or([where('lastSeenAt', 'is', null), where('lastSeenAt', '<', new Date(Date.now() - offlineAfterMs))]),
    )
    .orderBy('lastSeenAt', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map(({ id, name, lastSeenAt }) => ({
    ...nothing,
    kind: 'nodeAway',
    name,
    nodeID: id,
    since: textOf(lastSeenAt),
  }))
}

/** Sites whose protection was switched on by an attack. Runs as the caller. */
export async function sitesUnderAttack(db: Database): Promise<Attention[]> {
  const rows = await db
    .selectFrom('siteAttacks')
    .innerJoin('sites', 'sites.id', 'siteAttacks.siteId')
    .select((on) => ['sites.id', 'sites.name', on.fn.min('siteAttacks.beganAt').as('beganAt')])
    .where('siteAttacks.endedAt', 'is', null)
    .where('sites.removedAt', 'is', null)
    .groupBy(['sites.id', 'sites.name'])
    .orderBy('beganAt', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map(({ id, name, beganAt }) => ({
    ...{ ...nothing, kind: 'siteUnderAttack', name, siteID: id, siteName: name, since: textOf(beganAt) },
  }))
}

/** Domains that are not served because their owner is unverified, grouped by site. Runs as the caller. */
export async function domainsPending(db: Database): Promise<Attention[]> {
  const rows = await db
    .selectFrom('domains')
    .innerJoin('sites', 'sites.id', 'domains.siteId')
    .select((on) => [
      on.fn.min('domains.name').as('name'),
      on.fn.max('domains.createdAt').as('createdAt'),
      on.fn.countAll<number>().as('n'),
      'sites.id as siteId',
      'sites.name as siteName',
    ])
    .where('domains.ownership', '=', 'pending')
    .where('domains.status', '=', 1)
    .where('sites.removedAt', 'is', null)
    .groupBy(['sites.id', 'sites.name'])
    .orderBy('createdAt', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map(({ name, createdAt, n, siteId, siteName }) => ({
    ...nothing,
    count: n,
    kind: 'domainPending',
    name,
    siteID: siteId,
    siteName,
    since: textOf(createdAt),
  }))
}

const certificateKinds = new Map([
  [certStatuses.expiring, 'certificateEnding'],
  [certStatuses.expired, 'certificateEnded'],
  [certStatuses.failed, 'certificateFailed'],
] as const)

/** Domains whose certificate expires soon, has expired, or could not be issued. Runs as the caller. */
export async function certificatesEnding(db: Database): Promise<Attention[]> {
  const rows = await db
    .selectFrom('domains')
    .innerJoin('sites', 'sites.id', 'domains.siteId')
    .select(['domains.id', 'domains.name', 'sites.id as siteId', 'sites.name as siteName'])
    .select(certStatusOf.as('certStatus'))
    .where('domains.status', '=', 1)
    .where('domains.ownership', '!=', 'pending')
    .where('sites.removedAt', 'is', null)
    .where(certStatusOf, 'in', [...certificateKinds.keys()])
    .orderBy('domains.name')
    .limit(shownMax)
    .execute()
  const shown = await shownCertificates(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, siteId, siteName, certStatus }) => ({
    ...nothing,
    kind: certificateKinds.get(certStatus as 2 | 3 | 5)!,
    name,
    siteID: siteId,
    siteName,
    since: shown.get(id)?.expired || null,
  }))
}

/** Sites that expire within 30 days or have expired. Runs as the caller. */
export async function sitesExpiring(db: Database): Promise<Attention[]> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'name', 'expiredAt'])
    .where('removedAt', 'is', null)
    .where('expiredAt', '<', new Date(Date.now() + expiringMs))
    .orderBy('expiredAt', 'desc')
    .limit(shownMax)
    .execute()
  return rows.map(({ id, name, expiredAt }) => ({
    ...nothing,
    kind: expiredAt!.getTime() <= Date.now() ? 'siteExpired' : 'siteExpiring',
    name,
    siteID: id,
    siteName: name,
    since: textOf(expiredAt),
  }))
}

/**
 * Sites of the caller's tenants that a node rejected or has not applied yet. Runs as the system, which alone can see
 * nodes; `namedFor` restricts the result to what the caller may see.
 */
export async function lateSites(
  db: Database,
  { tier, tenantId }: Pick<Caller, 'tier' | 'tenantId'>,
): Promise<LateSite[]> {
  const { epoch } = await db.selectFrom('installation').select('epoch').executeTakeFirstOrThrow()
  const ofTenant = tier === 'client' ? sql`tenant.operator_id = ${tenantId}` : sql`tenant.id = ${tenantId}`
  const { rows } = await sql<LateSite>`
    select entry.site_id, node.name as node, exception.reason, revision.created_at as since
    from nodes as node
    join feed_entries as entry on entry.group_id = node.group_id and entry.artefact is not null
      and (entry.sequence > node.watermark or node.epoch <> ${epoch}
        or exists (select from node_exceptions as known where known.node_id = node.id and known.site_id = entry.site_id))
    join sites as site on site.id = entry.site_id and site.removed_at is null
    join tenants as tenant on tenant.id = site.tenant_id
    join revisions as revision on revision.site_id = site.id and revision.revision = entry.revision
    left join node_exceptions as exception on exception.node_id = node.id and exception.site_id = entry.site_id
    where node.revoked_at is null and node.status = ${nodeStatuses.enabled} and ${ofTenant}
      and (exception.reason is not null or revision.created_at < now() - ${lateAfter}::interval)
    order by exception.reason is null, revision.created_at desc
    limit ${shownMax * 4}`.execute(db)
  return rows
}

/** The late sites by name, each once, as far as the caller may see them. Runs as the caller. */
export async function namedFor(db: Database, late: LateSite[]): Promise<Attention[]> {
  const ids = [...new Set(late.map(({ siteId }) => siteId))]
  if (ids.length === 0) return []
  const sites = await db.selectFrom('sites').select(['id', 'name']).where('id', 'in', ids).execute()
  const named = ids.flatMap((id) => sites.find((site) => site.id === id) ?? [])
  return named.slice(0, shownMax).map(({ id, name }) => {
    const of = late.filter(({ siteId }) => siteId === id)
    const refused = of.find(({ reason }) => reason !== null)
    return {
      ...nothing,
      kind: refused ? 'siteRefused' : 'siteNotLive',
      name,
      siteID: id,
      siteName: name,
      since: textOf(of[0]!.since),
      detail: refused?.reason ?? of.map(({ node }) => node).join(', '),
    }
  })
}

/** Updates of the WAF's rules that the operator has not tested. Runs as the caller: customers see none. */
export async function ruleSetUpdates(db: Database): Promise<Attention[]> {
  const rows = await db
    .selectFrom('wafRuleSets')
    .select(['name', 'createdAt'])
    .where('isUpdate', '=', true)
    .where('trial', 'is', null)
    .orderBy('createdAt', 'desc')
    .execute()
  if (rows.length === 0) return []
  const zone = await db.selectFrom('zones').select(['id', 'name']).orderBy('id').limit(1).executeTakeFirst()
  return rows.map(({ name, createdAt }) => ({
    ...{ ...nothing, kind: 'ruleSetUpdate', name, zone: zone ?? null, since: textOf(createdAt) },
  }))
}

const nothing = { siteID: null, siteName: '', nodeID: null, zone: null, since: null, detail: '', count: 1 }
const textOf = (moment: Date | null) => moment?.toISOString() ?? null
