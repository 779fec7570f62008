/** Secrets of a module: those of all its items in one sealed value, of which the newest versions are kept. */
import type { Database } from '../db/database.ts'
import { secretContext } from '../secrets/store.ts'
import type { Vault } from '../secrets/vault.ts'

type Module = { id: number; tenantId: number }
/** Secrets by item id. */
export type Kept = Record<string, string[]>

/** Older versions than these are deleted: a node that was away requests the newest first. */
const versionsKept = 5

const nameOf = (moduleId: number) => `tokenAuth-${moduleId}`
export const secretRef = (moduleId: number, version: number): string => `${nameOf(moduleId)}@${version}`

const ofModule = (db: Database, moduleId: number) =>
  db.selectFrom('secrets').select(['version', 'sealed']).where('moduleId', '=', moduleId)

const opened = (vault: Vault, moduleId: number, row: { version: number; sealed: Buffer }): Buffer =>
  vault.open(row.sealed, secretContext({ moduleId }, nameOf(moduleId), row.version))

/** The newest version; empty if there is none. Runs as the caller. */
export async function readModuleSecrets(db: Database, vault: Vault, moduleId: number): Promise<Kept> {
  const row = await ofModule(db, moduleId).orderBy('version', 'desc').executeTakeFirst()
  return row ? JSON.parse(opened(vault, moduleId, row).toString()) : {}
}

/** Stores a new version and returns its number. Runs as the caller, under the module's lock. */
export async function writeModuleSecrets(
  db: Database,
  vault: Vault,
  { id, tenantId }: Module,
  kept: Kept,
): Promise<number> {
  const newest = await ofModule(db, id).orderBy('version', 'desc').executeTakeFirst()
  const version = (newest?.version ?? 0) + 1
  const name = nameOf(id)
  const sealed = vault.seal(Buffer.from(JSON.stringify(kept)), secretContext({ moduleId: id }, name, version))
  await db.insertInto('secrets').values({ tenantId, moduleId: id, name, version, sealed }).execute()
  await db
    .deleteFrom('secrets')
    .where('moduleId', '=', id)
    .where('version', '<=', version - versionsKept)
    .execute()
  return version
}

/** A module's secret for a node, if a domain of the site is bound to the module. Runs as the system. */
export async function readBoundSecret(
  db: Database,
  vault: Vault,
  siteId: number,
  name: string,
  version: number,
): Promise<Buffer | undefined> {
  const moduleId = Number(/^tokenAuth-(\d{1,9})$/.exec(name)?.[1] ?? 0)
  const bound = await db
    .selectFrom('domainModules')
    .innerJoin('domains', 'domains.id', 'domainModules.domainId')
    .select('domains.id')
    .where('domains.siteId', '=', siteId)
    .where('domainModules.moduleId', '=', moduleId)
    .executeTakeFirst()
  if (!bound) return undefined
  const row = await ofModule(db, moduleId).where('version', '=', version).executeTakeFirst()
  return row && opened(vault, moduleId, row)
}
