/** Whether domains may be added to a site: its room, its own names, and those that other sites serve. */
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

/** The names that another site already serves (401001). Asked as the system: the answer names nobody. */
export async function takenOf(db: Database, names: string[], siteId: number): Promise<string[]> {
  const rows = await asSystem(db, (tx) =>
    tx
      .selectFrom('domains')
      .select('name')
      .distinct()
      .where('name', 'in', names)
      .where('siteId', '!=', siteId)
      .where('status', '=', 1)
      .where('ownership', '!=', 'pending')
      .execute(),
  )
  const taken = new Set(rows.map((row) => row.name))
  return names.filter((name) => taken.has(name))
}

/** Throws where a site may not have so many domains more. */
export async function requireDomainRoom(db: Database, site: LockedSite, more: number): Promise<void> {
  const { limitations } = await db
    .selectFrom('sites')
    .select('limitations')
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow()
  const { n } = await db
    .selectFrom('domains')
    .where('siteId', '=', site.id)
    .select((on) => on.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (limitations.domains > 0 && n + more > limitations.domains)
    throw new Fault('domainsExceedLimit', { max: limitations.domains })
}

/** Names that cannot be added: twice in the call or already on the site (101025), or served by another site (401001). */
export async function clashesOf(db: Database, site: LockedSite, names: string[]) {
  const own = await db
    .selectFrom('domains')
    .select('name')
    .where('siteId', '=', site.id)
    .where('name', 'in', names)
    .execute()
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const duplicates = [...new Set([...own.map((row) => row.name), ...twice])]
  const elsewhere = await takenOf(db, names, site.id)
  return [
    ...(duplicates.length > 0 ? [{ reason: 'duplicatedData' as const, targets: duplicates }] : []),
    ...(elsewhere.length > 0 ? [{ reason: 'domainEnabledElsewhere' as const, targets: elsewhere }] : []),
  ]
}
