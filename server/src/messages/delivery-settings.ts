/**
 * The mail server and bot that send a tenant's messages: its operator's, else those of the first operator that has
 * them.
 */
import { mailSettings } from '@breakwater/contract/messages/mail-settings.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'
import { type Destination, type StoredSecret, secretOnTheWay } from '../settings/sent-secret.ts'
import { SavedMail, savedServer } from './mail-settings.ts'
import type { MailServer } from './smtp.ts'

/** Where bot tokens are sent: the API that the installation configures; no setting changes it. */
export const telegramDestination: Destination = { service: 'telegram' }
export const telegramContext = (tenantId: number) => `telegram settings/${tenantId}`

export const storedToken = (row: { tenantId: number; token: Buffer | null }): StoredSecret => ({
  sealed: row.token,
  context: telegramContext(row.tenantId),
  destination: telegramDestination,
})

/**
 * A tenant's operator comes first; the vendor, and operators without settings, use those of the installation's first
 * operator.
 */
const nearest = (tenantId: number) =>
  sql<number>`case when tenant_id = ${tenantId} then 0
    when tenant_id = (select operator_id from tenants where id = ${tenantId}) then 1 else 2 end`

/** The mail server for letters of a tenant, or undefined if none is enabled. Runs as the system. */
export async function mailServerOf(db: Database, vault: Vault, tenantId: number): Promise<MailServer | undefined> {
  const row = await db
    .selectFrom('settings')
    .select(['tenantId', 'value'])
    .where('owner', '=', 'operator')
    .where('name', '=', mailSettings.name)
    .where(sql<boolean>`(value->>'enable')::boolean`)
    .orderBy(nearest(tenantId))
    .orderBy('tenantId')
    .limit(1)
    .executeTakeFirst()
  return row && savedServer(vault, row.tenantId, SavedMail.parse(row.value))
}

/** The bot's token for messages of a tenant, or undefined. Runs as the system. */
export async function botTokenOf(db: Database, vault: Vault, tenantId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('telegramSettings')
    .selectAll()
    .where('enabled', '=', true)
    .where('token', 'is not', null)
    .orderBy(nearest(tenantId))
    .orderBy('tenantId')
    .limit(1)
    .executeTakeFirst()
  return row && secretOnTheWay(vault, storedToken(row), telegramDestination)
}
