/** What a group needs before its first node serves it. */
import type { Database } from '../db/database.ts'
import { ensureConfiguration } from '../node-configuration/publish-zone.ts'
import { ensureGroupKey } from '../secrets/store.ts'
import type { Vault } from '../secrets/vault.ts'

/** The first main group of a zone for a port type, layer 7 by default. */
export async function mainGroupOf(db: Database, zoneId: number, portType = 7): Promise<number | undefined> {
  const row = await db
    .selectFrom('groups')
    .select('id')
    .where('zoneId', '=', zoneId)
    .where('portType', '=', portType)
    .where('isBackup', '=', false)
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

/** Creates a group's key and feed if they are missing, and publishes its zone's settings to it. Runs as the system. */
export async function activateGroup(db: Database, vault: Vault, groupId: number): Promise<void> {
  await ensureGroupKey(db, vault, groupId)
  await db
    .insertInto('feeds')
    .values({ groupId })
    .onConflict((on) => on.doNothing())
    .execute()
  await ensureConfiguration(db, groupId)
}
