/**
 * The backup command: `backup <file>`, `verify <file>`, `restore <file>`, `move-data <DATABASE_URL> <CLICKHOUSE_URL>`.
 * A separate program, because a restore must run before anything creates a key.
 */
import { TenantLoginError } from '../db/tenant-login.ts'
import { openEvents } from '../events/store.ts'
import { readEnv } from '../process/env.ts'
import { BackupError } from './archive.ts'
import { backup, backupPassphrase, moveData, restore, verifyBackup } from './backup.ts'

const [command = '', ...words] = process.argv.slice(2)

function argument(index: number): string {
  const word = words[index]
  if (word === undefined) throw new BackupError(`${command}: an argument is missing`)
  return word
}

async function withStores(run: (stores: Parameters<typeof backup>[0]) => Promise<void>): Promise<void> {
  const { dataFolder, databaseUrl, tenantDatabaseUrl, clickhouseUrl } = readEnv()
  const events = openEvents(clickhouseUrl)
  try {
    await run({ dataFolder, databaseUrl, tenantDatabaseUrl, events })
  } finally {
    await events.close()
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const commands: Record<string, () => Promise<void>> = {
  backup: () =>
    withStores(async (stores) => {
      const { entries } = await backup(stores, argument(0), backupPassphrase())
      const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      console.log(`${argument(0)}: ${entries.length} parts, ${megabytes(bytes)}, read again and found whole.`)
    }),
  async verify() {
    const { entries, bytes } = await verifyBackup(argument(0), backupPassphrase())
    console.log(`${argument(0)}: ${entries} parts, ${megabytes(bytes)}, whole.`)
  },
  restore: () =>
    withStores(async (stores) => {
      await restore(stores, argument(0), backupPassphrase())
      console.log(`${argument(0)} was restored. Nodes go on with what they serve.`)
    }),
  'move-data': () =>
    withStores(async (stores) => {
      await moveData(stores, {
        databaseUrl: argument(0),
        // For the target: the embedded database creates its own.
        tenantDatabaseUrl: stores.tenantDatabaseUrl,
        clickhouseUrl: argument(1),
      })
      console.log('Everything was copied. Start with DATABASE_URL and CLICKHOUSE_URL from now on.')
    }),
}

const run = commands[command]
if (!run) {
  console.error(`usage: backup/main.ts ${Object.keys(commands).join(' | ')}`)
  process.exit(2)
}
try {
  await run()
} catch (error) {
  if (!(error instanceof BackupError || error instanceof TenantLoginError)) throw error
  console.error(error.message)
  process.exit(1)
}
