/** The operator's calls about the ways out: mail server, Telegram bot, what became of letters. */
import { createHash } from 'node:crypto'
import { type MailSettings, messageSettings } from '@breakwater/contract/messages/settings.ts'
import { type RawBuilder, sql } from 'kysely'
import { brandOf } from '../brand/title.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { render } from './render.ts'
import { MailError, type MailServer, sendMail } from './smtp.ts'
import { TelegramError, whoIsBot } from './telegram.ts'
import { mailContext, telegramContext } from './ways.ts'

const { testMail, testTelegram, ...transactional } = messageSettings

type Typed = Omit<MailSettings, 'enable'>

/** What a mail server sees of the settings, as a hash: a test of others says nothing about these. */
const fingerprint = ({ host, port, account, password, sender, encryption }: MailServer): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([host, port, account, password, sender, encryption]))
    .digest()

export function messageSettingsFeature(services: Services): Feature {
  return [...settingCalls(services), ...testCalls(services)]
}

const mailRow = (db: Database, { tenantId }: Caller) =>
  db.selectFrom('mailSettings').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()
const telegramRow = (db: Database, { tenantId }: Caller) =>
  db.selectFrom('telegramSettings').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()

/** The settings as typed, with the stored password where none was. */
async function serverOf(db: Database, { vault }: Services, caller: Caller, typed: Typed): Promise<MailServer> {
  const { host, port, account, encryption, from: sender } = typed
  const stored = typed.password === undefined ? await mailRow(db, caller) : undefined
  const password =
    typed.password ?? (stored?.password ? vault.open(stored.password, mailContext(caller.tenantId)).toString() : '')
  return { host, port, account, password, sender, encryption }
}

function settingCalls(services: Services): Feature {
  const { vault } = services
  return implement(transactional, {
    async mail({ db, caller }) {
      const row = await mailRow(db, caller)
      const server = row && (await serverOf(db, services, caller, { ...row, from: row.sender, password: undefined }))
      return {
        enable: row?.enabled ?? false,
        host: row?.host ?? '',
        port: row?.port ?? 587,
        account: row?.account ?? '',
        password: '' as const,
        passwordSet: row?.password != null,
        from: row?.sender ?? '',
        encryption: row?.encryption ?? 'starttls',
        tested: server !== undefined && row?.testedAs?.equals(fingerprint(server)) === true,
      }
    },

    async updateMail({ db, caller, body, audit }) {
      const before = await mailRow(db, caller)
      const server = await serverOf(db, services, caller, body)
      const { password, ...row } = server
      const values = {
        ...row,
        enabled: body.enable,
        password: password === '' ? null : vault.seal(Buffer.from(password), mailContext(caller.tenantId)),
        updatedAt: new Date(),
      }
      await db
        .insertInto('mailSettings')
        .values({ tenantId: caller.tenantId, ...values })
        .onConflict((on) => on.column('tenantId').doUpdateSet(values))
        .execute()
      const isReady = body.enable && before?.testedAs?.equals(fingerprint(server)) === true
      await setReady(db, caller, isReady)
      audit.detail = { before: before && shown(before), after: { ...row, enabled: body.enable } }
    },

    async telegram({ db, caller }) {
      const row = await telegramRow(db, caller)
      return { enable: row?.enabled ?? false, token: '' as const, tokenSet: row?.token != null }
    },

    async updateTelegram({ db, caller, body, audit }) {
      const before = await telegramRow(db, caller)
      const token =
        body.token === undefined ? before?.token : vault.seal(Buffer.from(body.token), telegramContext(caller.tenantId))
      if (body.enable && !token) throw fieldFault('token', 'required', 'illegalTelegramToken')
      const values = { enabled: body.enable, token: token ?? null, updatedAt: new Date() }
      await db
        .insertInto('telegramSettings')
        .values({ tenantId: caller.tenantId, ...values })
        .onConflict((on) => on.column('tenantId').doUpdateSet(values))
        .execute()
      audit.detail = { before: { enable: before?.enabled ?? false }, after: { enable: body.enable } }
    },

    letters: ({ db, caller, query }) => asSystem(db, (tx) => listLetters(tx, caller.tenantId, query)),

    async resend({ db, caller, body, audit }) {
      const now = new Date()
      await asSystem(db, (tx) =>
        tx
          .updateTable('mailOutbox')
          .set({ failedAt: null, nextAttemptAt: now, attempts: 0 })
          .where('id', 'in', body.ids)
          .where('sentAt', 'is', null)
          .where(ours(caller.tenantId))
          .execute(),
      )
      await sql`select pg_notify('messages', '')`.execute(db)
      audit.detail = { ids: body.ids }
    },
  })
}

const shown = ({
  host,
  port,
  account,
  sender,
  encryption,
  enabled,
}: Omit<MailServer, 'password'> & { enabled: boolean }) => ({
  host,
  port,
  account,
  sender,
  encryption,
  enabled,
})

/** Codes are asked by mail only while letters are known to arrive. */
async function setReady(db: Database, { tenantId }: Caller, mailTested: boolean): Promise<void> {
  const change = mailTested ? { mailTested } : { mailTested, verifyEnabled: false }
  await db
    .insertInto('signInPolicies')
    .values({ tenantId, ...change })
    .onConflict((on) => on.column('tenantId').doUpdateSet(change))
    .execute()
}

const ours = (operatorId: number): RawBuilder<boolean> =>
  sql<boolean>`mail_outbox.tenant_id in (select id from tenants where id = ${operatorId} or operator_id = ${operatorId})`

type LetterQuery = { page: number; pageSize: number; state?: string | undefined; recipient?: string | undefined }

async function listLetters(db: Database, operatorId: number, query: LetterQuery) {
  let rows = db.selectFrom('mailOutbox').where(ours(operatorId))
  if (query.state === 'sent') rows = rows.where('sentAt', 'is not', null)
  if (query.state === 'failed') rows = rows.where('failedAt', 'is not', null)
  if (query.state === 'waiting') rows = rows.where('sentAt', 'is', null).where('failedAt', 'is', null)
  if (query.recipient) rows = rows.where('recipient', 'ilike', `%${query.recipient.replace(/[\\%_]/g, '\\$&')}%`)
  const { total } = await rows.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const found = await rows
    .select([
      'id',
      'channel',
      'recipient',
      'template',
      'attempts',
      'lastError',
      'createdAt',
      'sentAt',
      'failedAt',
      'nextAttemptAt',
    ])
    .orderBy('id', 'desc')
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize)
    .execute()
  const data = found.map(({ lastError, failedAt, createdAt, sentAt, nextAttemptAt, ...row }) => ({
    ...row,
    // A webhook's address may hold a token of its owner's.
    recipient: row.channel === 'webhook' ? new URL(row.recipient).origin : row.recipient,
    state: sentAt ? ('sent' as const) : failedAt ? ('failed' as const) : ('waiting' as const),
    error: lastError,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    nextAttemptAt: sentAt || failedAt ? null : nextAttemptAt.toISOString(),
  }))
  return { data, total }
}

/** These wait for somebody else's server, and hold no transaction meanwhile. */
function testCalls(services: Services): Feature {
  const { guard, env, vault } = services
  return implementOpen(
    { testMail, testTelegram },
    {
      async testMail({ caller, body, transact, audit }) {
        const { server, address, brand } = await transact(async (db) => ({
          server: await serverOf(db, services, caller, body),
          address: (
            await db.selectFrom('accounts').select('email').where('id', '=', caller.accountId).executeTakeFirstOrThrow()
          ).email,
          brand: await brandOf(db, caller.tenantId),
        }))
        const to = body.to ?? address
        if (!to) throw fieldFault('to', 'required')
        audit.detail = { host: server.host, to }
        const letter = { template: 'test', locale: 'en_US', values: {}, secret: '' } as const
        try {
          await sendMail(guard, server, to, render(letter, brand, env.publicUrl))
        } catch (error) {
          if (error instanceof MailError) throw new Fault('illegalEmailSettings', error.message)
          throw error
        }
        await transact(async (db) => {
          const stored = await mailRow(db, caller)
          const testedAs = fingerprint(server)
          await db.updateTable('mailSettings').set({ testedAs }).where('tenantId', '=', caller.tenantId).execute()
          const saved =
            stored && (await serverOf(db, services, caller, { ...stored, from: stored.sender, password: undefined }))
          if (saved && stored.enabled && fingerprint(saved).equals(testedAs)) await setReady(db, caller, true)
        })
      },

      async testTelegram({ caller, body, transact }) {
        const stored = body.token === undefined ? (await transact((db) => telegramRow(db, caller)))?.token : undefined
        const token =
          body.token ?? (stored ? vault.open(stored, telegramContext(caller.tenantId)).toString() : undefined)
        if (token === undefined) throw fieldFault('token', 'required', 'illegalTelegramToken')
        try {
          return { bot: await whoIsBot(guard, env.telegramApi, token) }
        } catch (error) {
          if (error instanceof TelegramError) throw new Fault('illegalTelegramToken', error.message)
          throw error
        }
      },
    },
  )
}
