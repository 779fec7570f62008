/** The commands `backup`, `restore` and `move-data`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { openEvents } from '../events/store.ts'
import { BackupError, type Entry, type Manifest, readArchive, writeArchive } from './archive.ts'
import { exportEvents, importEvents } from './events.ts'
import { exportFiles, importFile } from './keys.ts'
import { exportRelational, importRelational } from './relational.ts'

type Target = { databaseUrl: string; tenantDatabaseUrl?: string | undefined; events: ClickHouseClient }
type Source = Target & { dataFolder: string }

/** The passphrase from BREAKWATER_BACKUP_PASSPHRASE, or from the file named by BREAKWATER_BACKUP_PASSPHRASE_FILE. */
export function backupPassphrase(env: NodeJS.ProcessEnv = process.env): string {
  const file = env.BREAKWATER_BACKUP_PASSPHRASE_FILE
  const passphrase = (env.BREAKWATER_BACKUP_PASSPHRASE || (file ? readFileSync(file, 'utf8') : '')).trim()
  if (passphrase.length < 12) {
    throw new BackupError(
      'set BREAKWATER_BACKUP_PASSPHRASE (12 characters or more), or BREAKWATER_BACKUP_PASSPHRASE_FILE: a backup holds every secret',
    )
  }
  return passphrase
}

/**
 * Everything of an installation as entries. The relational store comes first, in one snapshot: its moment is the
 * backup's.
 */
async function* everything({ dataFolder, databaseUrl, events }: Source): AsyncGenerator<Entry> {
  yield* exportFiles(dataFolder)
  yield* exportRelational(databaseUrl)
  yield* exportEvents(events)
}

/** Writes a backup while everything keeps running, then reads it back to verify it. */
export async function backup(source: Source, path: string, passphrase: string): Promise<Manifest> {
  const manifest = await writeArchive(path, passphrase, everything(source))
  await verifyBackup(path, passphrase)
  return manifest
}

/** Reads an entire backup. Throws `BackupError` if any byte differs from what was written. */
export async function verifyBackup(path: string, passphrase: string): Promise<{ entries: number; bytes: number }> {
  let [entries, bytes] = [0, 0]
  for await (const entry of readArchive(path, passphrase)) {
    entries += 1
    bytes += entry.bytes.length
  }
  return { entries, bytes }
}

/**
 * Restores into an empty installation. Raises the epoch, so that nodes compare what they have with what was restored,
 * keep serving what they serve, and never go back.
 */
export async function restore(source: Source, path: string, passphrase: string): Promise<void> {
  if (existsSync(join(source.dataFolder, 'keys', 'master.key'))) {
    throw new BackupError(`${source.dataFolder} already holds an installation's keys; a restore takes an empty folder`)
  }
  // Before anything is written, so that a damaged file restores nothing.
  await verifyBackup(path, passphrase)
  await fill(source, readArchive(path, passphrase), {
    file: (entry) => importFile(source.dataFolder, entry),
    beforeCommit: async (client) => {
      await client.query('update installation set epoch = epoch + 1')
    },
  })
}

/** Copies the stores of a stopped installation into empty ones. Its keys stay where they are. */
export async function moveData(
  source: Source,
  target: { databaseUrl: string; tenantDatabaseUrl?: string | undefined; clickhouseUrl: string },
): Promise<void> {
  const events = openEvents(target.clickhouseUrl)
  try {
    await fill(
      { databaseUrl: target.databaseUrl, tenantDatabaseUrl: target.tenantDatabaseUrl, events },
      everything(source),
      {
        file: async () => {},
        beforeCommit: async () => {},
      },
    )
  } finally {
    await events.close()
  }
}

type Hooks = {
  file: (entry: Entry) => Promise<void>
  beforeCommit: Parameters<typeof importRelational>[2]
}

async function fill(target: Target, entries: AsyncIterable<Entry>, { file, beforeCommit }: Hooks): Promise<void> {
  const rows = await importRelational(target.databaseUrl, target.tenantDatabaseUrl, beforeCommit)
  try {
    const events = await importEvents(target.events)
    for await (const entry of entries) {
      if (entry.name.startsWith('files/')) await file(entry)
      else if (entry.name.startsWith('postgres/')) await rows.add(entry)
      else await events.add(entry)
    }
    await events.finish()
    await rows.finish()
  } catch (error) {
    await rows.abandon()
    throw error
  }
}
