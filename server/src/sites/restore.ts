/**
 * Going back to an earlier document: rules and domains become what they were, under the ids they had, after the same
 * checks as when they were saved. What belongs to others stays: shared modules, secrets, the proof of a domain's owner.
 */
import { ruleLists } from '@breakwater/contract/index.ts'
import type { Database } from '../db/database.ts'
import { parse } from '../http/parse.ts'
import type { SavedDomain, SavedRule, SiteDocument } from '../publish/document.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

/** Writes a document's rules and domains over the site's present ones. Runs as the caller, who holds the site's lock. */
export async function restoreDocument(db: Database, site: LockedSite, document: SiteDocument): Promise<void> {
  await db.updateTable('sites').set({ tags: document.site.tags }).where('id', '=', site.id).execute()
  await restoreRules(db, site, document.rules)
  await restoreDomains(db, site, document.domains)
}

async function restoreRules(db: Database, site: LockedSite, rules: Record<string, SavedRule[]>): Promise<void> {
  await db.deleteFrom('rules').where('siteId', '=', site.id).execute()
  for (const list of Object.values(ruleLists)) {
    const rows = (rules[list.kind] ?? []).map((rule) => {
      const { id, sort, enabled, mode, memo, createdBy, expiresAt, createdAt, bodyVersion } = rule
      const item = parse(list.item, { ...rule.body, enabled, mode, memo, expiresAt }, list.kind)
      return {
        id,
        sort,
        enabled,
        mode,
        memo,
        createdBy,
        createdAt,
        bodyVersion,
        kind: list.kind,
        tenantId: site.tenantId,
        siteId: site.id,
        body: JSON.stringify(rule.body),
        uniqueKey: list.uniqueKey?.(item as never) ?? null,
        expiresAt,
      }
    })
    if (rows.length > 0) await db.insertInto('rules').values(rows).execute()
  }
}

async function restoreDomains(db: Database, site: LockedSite, domains: SavedDomain[]): Promise<void> {
  const present = await db
    .selectFrom('domains')
    .select(['id', 'name', 'ownership', 'proof'])
    .where('siteId', '=', site.id)
    .execute()
  const known = new Map(present.map((row) => [row.name, row]))
  const moduleIds = domains.flatMap((domain) => domain.customHeaderModuleId ?? [])
  const modules =
    moduleIds.length === 0 ? [] : await db.selectFrom('modules').select('id').where('id', 'in', moduleIds).execute()
  const living = new Set(modules.map((row) => row.id))
  await db.deleteFrom('domains').where('siteId', '=', site.id).execute()
  for (const { upstreams, portMap, ...domain } of domains) {
    // A proof that was lost or gained since is what holds now; a name that left the site must be proven again.
    const now = known.get(domain.name)
    const module = domain.customHeaderModuleId
    const row = {
      ...domain,
      portMap: JSON.stringify(portMap),
      ownership: now?.ownership ?? ('pending' as const),
      proof: now?.proof ?? domain.proof,
      customHeaderModuleId: module !== null && living.has(module) ? module : null,
    }
    await db
      .insertInto('domains')
      .values({ ...row, tenantId: site.tenantId, siteId: site.id })
      .execute()
    if (upstreams.length > 0)
      await db
        .insertInto('upstreams')
        .values(upstreams.map((upstream) => ({ ...upstream, tenantId: site.tenantId, domainId: domain.id })))
        .execute()
  }
}
