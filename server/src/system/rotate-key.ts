/**
 * Rotation of the master key. `begin` puts a new key before the old ones and seals every stored secret with it;
 * `finish` reseals what a process sealed with an old key meanwhile, and removes the old keys. Both may run while
 * everything is running.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ssoContext } from '../auth/single-sign-on.ts'
import { totpContext } from '../auth/totp.ts'
import { acmeKeyContext } from '../certificates/acme/account-key.ts'
import { authorityContext } from '../certificates/acme/settings.ts'
import { consoleKeyContext } from '../certificates/console/console-certificate.ts'
import { type Database, withSystem } from '../db/database.ts'
import { dnsContext } from '../dns/dns-settings.ts'
import { resultContext } from '../http/kept-results.ts'
import { emailContext } from '../mail/outbox.ts'
import { telegramContext } from '../messages/delivery-settings.ts'
import { mailContext } from '../messages/mail-settings.ts'
import { webhookContext } from '../messages/notify.ts'
import { type KeyFile, masterKeys, writeMasterKeys } from '../secrets/master-key.ts'
import { secretContext } from '../secrets/store.ts'
import { makeVault, type Vault } from '../secrets/vault.ts'

type Row = Record<string, unknown>
/**
 * A column with sealed bytes: the columns that identify its row, and the context it was sealed with. `inJson` if they
 * are stored as base64 in a field of the settings group of that name.
 */
type Sealed = {
  table: string
  column: string
  inJson?: { name: string; field: string }
  key: string[]
  needs: string[]
  context: (row: Row) => string
}

/** Every column of sealed bytes. A test checks it against the database catalogue. */
export const sealedColumns: Sealed[] = [
  {
    table: 'secrets',
    column: 'sealed',
    key: ['id'],
    needs: ['site_id', 'group_id', 'module_id', 'name', 'version'],
    context: ({ siteId, groupId, moduleId, name, version }) =>
      secretContext(
        {
          ...(siteId !== null && { siteId: siteId as number }),
          ...(groupId !== null && { groupId: groupId as number }),
          ...(moduleId !== null && { moduleId: moduleId as number }),
        },
        String(name),
        Number(version),
      ),
  },
  {
    table: 'idempotency_keys',
    column: 'result',
    key: ['account_id', 'actor', 'key'],
    needs: [],
    context: ({ accountId, actor, key }) =>
      resultContext({ accountId: accountId as number, actor: String(actor), key: String(key) }),
  },
  {
    table: 'totp_secrets',
    column: 'sealed',
    key: ['account_id'],
    needs: [],
    context: ({ accountId }) => totpContext(accountId as number),
  },
  {
    table: 'sso_providers',
    column: 'secret',
    key: ['tenant_id', 'tier'],
    needs: [],
    context: ({ tenantId, tier }) => ssoContext(tenantId as number, tier as 'user'),
  },
  {
    table: 'settings',
    column: 'value',
    inJson: { name: 'mail', field: 'password' },
    key: ['owner', 'owner_id', 'name'],
    needs: ['tenant_id'],
    context: ({ tenantId }) => mailContext(tenantId as number),
  },
  {
    table: 'acme_keys',
    column: 'sealed',
    key: ['tenant_id'],
    needs: [],
    context: ({ tenantId }) => acmeKeyContext(tenantId as number),
  },
  {
    table: 'console_certificates',
    column: 'sealed',
    key: ['name'],
    needs: [],
    context: ({ name }) => consoleKeyContext(String(name)),
  },
  ...['acme', 'zeroSSL', 'googleTrust'].map((name) => ({
    table: 'settings',
    column: 'value',
    inJson: { name, field: 'secret' },
    key: ['owner', 'owner_id', 'name'],
    needs: ['tenant_id'],
    context: ({ tenantId }: Row) => authorityContext(name, tenantId as number),
  })),
  {
    table: 'settings',
    column: 'value',
    inJson: { name: 'dns', field: 'secret' },
    key: ['owner', 'owner_id', 'name'],
    needs: ['tenant_id'],
    context: ({ tenantId }) => dnsContext(tenantId as number),
  },
  {
    table: 'telegram_settings',
    column: 'token',
    key: ['tenant_id'],
    needs: [],
    context: ({ tenantId }) => telegramContext(tenantId as number),
  },
  {
    table: 'notify_settings',
    column: 'webhook_secret',
    key: ['account_id'],
    needs: [],
    context: ({ accountId }) => webhookContext(accountId as number),
  },
  {
    table: 'mail_outbox',
    column: 'secret',
    key: ['id'],
    needs: ['recipient', 'template'],
    context: (row) => emailContext(row as { recipient: string; template: string }),
  },
]

/** Columns sealed for minutes only: an interrupted sign-in has to start again. */
export const shortLived = ['one_pass_keys.sealed', 'sso_attempts.sealed']

const batch = 500

/**
 * Seals every stored secret with the newest key. Returns how many had been sealed with another one. Throws if one
 * cannot be opened.
 */
export async function renewSecrets(db: Database, vault: Vault): Promise<number> {
  let renewed = 0
  for (const one of sealedColumns) renewed += await renewColumn(db, vault, one)
  return renewed
}

async function renewColumn(
  db: Database,
  vault: Vault,
  { table, column, inJson, key, needs, context }: Sealed,
): Promise<number> {
  let renewed = 0
  let after: Row | undefined
  const columns = [...key, ...needs].map((name) => sql.ref(name))
  const bytes = inJson
    ? sql`case when name = ${inJson.name} then decode(nullif(value->>${inJson.field}, ''), 'base64') end`
    : sql.ref(column)
  const renewedValue = (fresh: Uint8Array) =>
    inJson
      ? sql`jsonb_set(value, ${[inJson.field]}::text[], to_jsonb(${Buffer.from(fresh).toString('base64')}::text))`
      : sql`${fresh}`
  const keys = sql.join(key.map((name) => sql.ref(name)))
  for (;;) {
    const from: Row | undefined = after
    const rows: Row[] = await withSystem(db, async (tx) => {
      const later = from ? sql`and (${keys}) > (${sql.join(key.map((name) => from[camel(name)]))})` : sql``
      const { rows: found } = await sql<Row>`
        select ${sql.join(columns)}, ${bytes} as sealed_bytes from ${sql.table(table)}
        where ${bytes} is not null ${later} order by ${keys} limit ${batch} for update`.execute(tx)
      for (const row of found) {
        const fresh = vault.renew(row.sealedBytes as Buffer, context(row))
        if (!fresh) continue
        const isIt = sql.join(
          key.map((name) => sql`${sql.ref(name)} = ${row[camel(name)]}`),
          sql` and `,
        )
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${renewedValue(fresh)} where ${isIt}`.execute(tx)
        renewed += 1
      }
      return found
    })
    if (rows.length < batch) return renewed
    after = rows.at(-1)
  }
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Begins: a new key, and everything sealed with it; the old ones stay for what processes seal until they read the file
 * again. A secrets manager's file is changed by its owner: there the new key is already in it.
 */
export async function beginRotation(db: Database, file: KeyFile): Promise<{ renewed: number; keys: number }> {
  const before = masterKeys(file)()
  if (file.isOwn) writeMasterKeys(file, [randomBytes(32), ...before])
  const keys = masterKeys(file)
  return { renewed: await renewSecrets(db, makeVault(keys)), keys: keys().length }
}

/** Finishes: what is still sealed with an old key is sealed with the newest, and the old keys are removed. */
export async function finishRotation(db: Database, file: KeyFile): Promise<{ renewed: number; keys: number }> {
  const keys = masterKeys(file)
  const renewed = await renewSecrets(db, makeVault(keys))
  // Once more, with only the newest key: nothing may need another one.
  await renewSecrets(db, makeVault(keys()[0]!))
  if (file.isOwn) writeMasterKeys(file, keys().slice(0, 1))
  return { renewed, keys: keys().length }
}
