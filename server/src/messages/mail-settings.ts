/** The operator's mail server: its settings, and whether they have passed their test. */
import { createHash } from 'node:crypto'
import { MailSettings, mailEncryptions, mailSettings } from '@breakwater/contract/messages/mail-settings.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { Caller, Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import type { Vault } from '../secrets/vault.ts'
import { readSettings, settingsFeature } from '../settings/owned-settings.ts'
import { type Destination, type StoredSecret, secretFor, secretOnTheWay } from '../settings/sent-secret.ts'
import type { MailServer } from './smtp.ts'

/**
 * What is saved. `password` is sealed, `testedAs` is the fingerprint of the settings that passed the test; both are
 * base64.
 */
export const SavedMail = MailSettings.omit({ password: true }).extend({
  host: z.string(),
  from: z.string(),
  password: z.string().nullable(),
  testedAs: z.string().nullable(),
  encryption: z.enum(mailEncryptions),
})
export type SavedMail = z.output<typeof SavedMail>

const none: SavedMail = {
  ...{ enable: false, host: '', port: 587, account: '', password: null, from: '', encryption: 'starttls' as const },
  testedAs: null,
}

/** The context that a mail password is sealed with. */
export const mailContext = (tenantId: number) => `mail settings/${tenantId}`

/**
 * Where a mail password is sent. The encryption is part of it: without encryption anybody on the path can read the
 * password.
 */
const destinationOf = ({ host, port, encryption }: Pick<MailServer, 'host' | 'port' | 'encryption'>): Destination => ({
  host,
  port,
  encryption,
})

const storedPassword = (tenantId: number, saved: SavedMail): StoredSecret => ({
  sealed: saved.password === null ? null : Buffer.from(saved.password, 'base64'),
  context: mailContext(tenantId),
  destination: destinationOf(saved),
})

/** The mail server that saved settings describe. */
export function savedServer(vault: Vault, tenantId: number, saved: SavedMail): MailServer {
  const { host, port, account, from: sender, encryption } = saved
  const password = secretOnTheWay(vault, storedPassword(tenantId, saved), destinationOf(saved)) ?? ''
  return { host, port, account, password, sender, encryption }
}

/**
 * The mail server as typed, with the stored password if none was typed and the server is the same. Without an account
 * there is no password.
 */
export function typedServer(
  vault: Vault,
  tenantId: number,
  typed: Omit<MailSettings, 'enable'>,
  stored: SavedMail | undefined,
): MailServer {
  const { host, port, account, from: sender, encryption } = typed
  const use = { destination: destinationOf(typed), given: account === '' ? '' : typed.password, field: 'password' }
  const password = secretFor(vault, stored && storedPassword(tenantId, stored), use) ?? ''
  return { host, port, account, password, sender, encryption }
}

/** A hash of the settings that a mail server sees: a test of other settings proves nothing about these. */
const fingerprint = ({ host, port, account, password, sender, encryption }: MailServer): string =>
  createHash('sha256')
    .update(JSON.stringify([host, port, account, password, sender, encryption]))
    .digest('base64')

const isTested = (vault: Vault, tenantId: number, saved: SavedMail): boolean =>
  saved.testedAs !== null && saved.testedAs === fingerprint(savedServer(vault, tenantId, saved))

/** The saved mail server settings of an operator, or undefined. Runs as the caller. */
export const readMail = (db: Database, tenantId: number): Promise<SavedMail | undefined> =>
  readSettings(db, 'operator', tenantId, mailSettings.name, SavedMail)

/** Records that a mail server accepted a letter; if its settings are the saved ones, they are ready for use. */
export async function noteTested(services: Services, db: Database, caller: Caller, server: MailServer): Promise<void> {
  const { tenantId } = caller
  const testedAs = fingerprint(server)
  await db
    .updateTable('settings')
    .set({ value: sql<string>`value || jsonb_build_object('testedAs', ${testedAs}::text)` })
    .where('owner', '=', 'operator')
    .where('ownerId', '=', tenantId)
    .where('name', '=', mailSettings.name)
    .execute()
  const saved = await readMail(db, tenantId)
  if (saved?.enable && isTested(services.vault, tenantId, saved)) await setReady(db, caller, true)
}

/** Codes by mail are required only while letters are known to arrive. */
async function setReady(db: Database, { tenantId }: Caller, mailTested: boolean): Promise<void> {
  const change = mailTested ? { mailTested } : { mailTested, verifyEnabled: false }
  await db
    .insertInto('signInPolicies')
    .values({ tenantId, ...change })
    .onConflict((on) => on.column('tenantId').doUpdateSet(change))
    .execute()
}

export function mailSettingsFeature(services: Services): Feature {
  return settingsFeature(services, mailSettings, {
    saved: SavedMail,
    none,
    save({ vault }, _db, { tenantId }, body, before) {
      const { password } = typedServer(vault, tenantId, body, before)
      const { password: _, ...rest } = body
      const sealed =
        password === '' ? null : vault.seal(Buffer.from(password), mailContext(tenantId)).toString('base64')
      return { ...rest, password: sealed, testedAs: before.testedAs }
    },
    show: ({ vault }, { tenantId }, { password, testedAs, ...rest }) => ({
      ...rest,
      password: '' as const,
      passwordSet: password !== null,
      tested: isTested(vault, tenantId, { ...rest, password, testedAs }),
    }),
    audited: ({ password: _, testedAs: __, ...rest }) => rest,
    changed: ({ vault }, db, caller, value) =>
      setReady(db, caller, value.enable && isTested(vault, caller.tenantId, value)),
  })
}
