/** Which ways lead out of an installation for a tenant: its operator's, or those of the first operator that has them. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Vault } from '../secrets/vault.ts'
import type { MailServer } from './smtp.ts'

export const mailContext = (tenantId: number) => `mail settings/${tenantId}`
export const telegramContext = (tenantId: number) => `telegram settings/${tenantId}`

/** A tenant's operator comes first; the vendor and operators without settings use those of the installation's first. */
const nearest = (tenantId: number) =>
  sql<number>`case when tenant_id = ${tenantId} then 0
    when tenant_id = (select operator_id from tenants where id = ${tenantId}) then 1 else 2 end`

/** The mail server for letters of a tenant, or nothing where none is switched on. Runs as the system. */
export async function mailServerOf(db: Database, vault: Vault, tenantId: number): Promise<MailServer | undefined> {
  const row = await db
    .selectFrom('mailSettings')
    .selectAll()
    .where('enabled', '=', true)
    .orderBy(nearest(tenantId))
    .orderBy('tenantId')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { host, port, account, sender, encryption } = row
  const password = row.password ? vault.open(row.password, mailContext(row.tenantId)).toString() : ''
  return { host, port, account, password, sender, encryption }
}

/** The bot's token for messages of a tenant, or nothing. Runs as the system. */
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
  return row?.token ? vault.open(row.token, telegramContext(row.tenantId)).toString() : undefined
}
