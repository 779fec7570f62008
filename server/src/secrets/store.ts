/** Secrets in the database: sealed, versioned, belonging to a site or a group. */
import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { Vault } from './vault.ts'

/** The context that a site's, a group's or a module's secret is sealed with. */
export const secretContext = (
  { siteId, groupId, moduleId }: { siteId?: number; groupId?: number; moduleId?: number },
  name: string,
  version: number,
) => {
  const owner =
    siteId !== undefined ? `site/${siteId}` : moduleId !== undefined ? `module/${moduleId}` : `group/${groupId}`
  return `${owner}/${name}@${version}`
}

/** Stores a new version of a site's secret and returns its number. Runs as the caller. */
export async function writeSiteSecret(
  db: Database,
  vault: Vault,
  site: { id: number; tenantId: number },
  name: string,
  value: Uint8Array,
): Promise<number> {
  const version = ((await newestSiteSecret(db, site, name)) ?? 0) + 1
  const sealed = vault.seal(value, secretContext({ siteId: site.id }, name, version))
  await db.insertInto('secrets').values({ tenantId: site.tenantId, siteId: site.id, name, version, sealed }).execute()
  return version
}

/** The newest stored version of a site's secret. Runs as the caller. */
export async function newestSiteSecret(db: Database, site: { id: number }, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('secrets')
    .select('version')
    .where('siteId', '=', site.id)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  return row?.version
}

/** Deletes every version of a site's secret. Runs as the caller. */
export async function removeSiteSecret(db: Database, site: { id: number }, name: string): Promise<void> {
  await db.deleteFrom('secrets').where('siteId', '=', site.id).where('name', '=', name).execute()
}

/** A site's secret in plain text, for sealing to a node. Runs as the system. */
export async function readSiteSecret(
  db: Database,
  vault: Vault,
  siteId: number,
  name: string,
  version: number,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('secrets')
    .select('sealed')
    .where('siteId', '=', siteId)
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && vault.open(row.sealed, secretContext({ siteId }, name, version))
}

/** The name of a group's root key for challenge cookies and references. */
export const groupKeyName = 'groupKey'

/** Creates a group's key if it has none. Runs as the system. */
export async function ensureGroupKey(db: Database, vault: Vault, groupId: number): Promise<void> {
  const sealed = vault.seal(randomBytes(32), secretContext({ groupId }, groupKeyName, 1))
  await db
    .insertInto('secrets')
    .values({ groupId, name: groupKeyName, version: 1, sealed })
    .onConflict((on) => on.columns(['groupId', 'name', 'version']).where('groupId', 'is not', null).doNothing())
    .execute()
}

/** All versions of a group's key, newest first. Runs as the system. */
export async function readGroupKeys(
  db: Database,
  vault: Vault,
  groupId: number,
): Promise<{ version: number; key: Buffer }[]> {
  const rows = await db
    .selectFrom('secrets')
    .select(['version', 'sealed'])
    .where('groupId', '=', groupId)
    .where('name', '=', groupKeyName)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(({ version, sealed }) => ({
    version,
    key: vault.open(sealed, secretContext({ groupId }, groupKeyName, version)),
  }))
}
