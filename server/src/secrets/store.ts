/** Secrets in the database: sealed, versioned, a site's or a group's. */
import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { Vault } from './vault.ts'

const contextOf = (owner: { siteId?: number; groupId?: number }, name: string, version: number) =>
  owner.siteId === undefined ? `group/${owner.groupId}/${name}@${version}` : `site/${owner.siteId}/${name}@${version}`

/** Stores a new version of a site's secret and returns its number. Runs as the caller. */
export async function writeSiteSecret(
  db: Database,
  vault: Vault,
  site: { id: number; tenantId: number },
  name: string,
  value: Uint8Array,
): Promise<number> {
  const last = await db
    .selectFrom('secrets')
    .select('version')
    .where('siteId', '=', site.id)
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  const version = (last?.version ?? 0) + 1
  const sealed = vault.seal(value, contextOf({ siteId: site.id }, name, version))
  await db.insertInto('secrets').values({ tenantId: site.tenantId, siteId: site.id, name, version, sealed }).execute()
  return version
}

/** A site's secret in the clear, for sealing to a node. Runs as the system. */
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
  return row && vault.open(row.sealed, contextOf({ siteId }, name, version))
}

/** The name of the root of a group's challenge cookies and references. */
export const groupKeyName = 'groupKey'

/** Makes a group's key where it has none. Runs as the system. */
export async function ensureGroupKey(db: Database, vault: Vault, groupId: number): Promise<void> {
  const sealed = vault.seal(randomBytes(32), contextOf({ groupId }, groupKeyName, 1))
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
    key: vault.open(sealed, contextOf({ groupId }, groupKeyName, version)),
  }))
}
