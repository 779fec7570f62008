/** The operator's calls for delivery: a test of the mail server, the Telegram bot, and the state of sent letters. */

import { messageSettings } from '@breakwater/contract/messages/settings.ts'
import { type RawBuilder, sql } from 'kysely'
import { brandOf } from '../brand/title.ts'
import { asSystem, type Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { sealSecret, secretFor } from '../settings/sent-secret.ts'
import { storedToken, telegramContext, telegramDestination } from './delivery-settings.ts'
import { noteTested, readMail, typedServer } from './mail-settings.ts'
import { render } from './render.ts'
import { MailError, sendMail } from './smtp.ts'
import { botName, sendTelegram, TelegramError } from './telegram.ts'

const { testMail, testTelegram, ...transactional } = messageSettings

export function messageSettingsFeature(services: Services): Feature {
  return [...settingCalls(services), ...testCalls(services)]
}

const telegramRow = (db: Database, { tenantId }: Caller) =>
  db.selectFrom('telegramSettings').selectAll().where('tenantId', '=', tenantId).executeTakeFirst()

/** The token that was typed, or the stored one. */
function tokenOf({ vault }: Services, stored: Awaited<ReturnType<typeof telegramRow>>, given: string | undefined) {
  return secretFor(vault, stored && storedToken(stored), { destination: telegramDestination, given, field: 'token' })
}

function settingCalls(services: Services): Feature {
  const { vault } = services
  return implement(transactional, {
    async telegram({ db, caller }) {
      const row = await telegramRow(db, caller)
      return { enable: row?.enabled ?? false, token: '' as const, tokenSet: row?.token != null }
    },

    async updateTelegram({ db, caller, body, audit }) {
      const before = await telegramRow(db, caller)
      const token = tokenOf(services, before, body.token)
      if (body.enable && token === undefined) throw fieldFault('token', 'required', 'illegalTelegramToken')
      const sealed = sealSecret(vault, telegramContext(caller.tenantId), token)
      const values = { enabled: body.enable, token: sealed, updatedAt: new Date() }
      await db
        .insertInto('telegramSettings')
        .values({ tenantId: caller.tenantId, ...values })
        .onConflict((on) => on.column('tenantId').doUpdateSet(values))
        .execute()
      audit.detail = { before: { enable: before?.enabled ?? false }, after: { enable: body.enable } }
    },

    letters: ({ db, caller, query }) => asSystem(db, (tx) => listQueuedEmails(tx, caller.tenantId, query)),

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

const telegramTest = 'Breakwater: Connection Success!'

const ours = (operatorId: number): RawBuilder<boolean> =>
  sql<boolean>`mail_outbox.tenant_id in (select id from tenants where id = ${operatorId} or operator_id = ${operatorId})`

type QueuedEmailQuery = { page: number; pageSize: number; state?: string | undefined; recipient?: string | undefined }

async function listQueuedEmails(db: Database, operatorId: number, query: QueuedEmailQuery) {
  let rows = db.selectFrom('mailOutbox').where(ours(operatorId))
  if (query.state === 'sent') rows = rows.where('sentAt', 'is not', null)
  if (query.state === 'failed') rows = rows.where('failedAt', 'is not', null)
  if (query.state === 'waiting') rows = rows.where('sentAt', 'is', null).where('failedAt', 'is', null)
  if (query.recipient) rows = rows.where('recipient', 'ilike', containing(query.recipient))
  const total = await countOf(rows)
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
    .$call(onePage(query))
    .execute()
  const data = found.map(({ lastError, failedAt, createdAt, sentAt, nextAttemptAt, ...row }) => ({
    ...row,
    // The path of a webhook's URL may hold a token of its owner.
    recipient: row.channel === 'webhook' ? new URL(row.recipient).origin : row.recipient,
    state: sentAt ? ('sent' as const) : failedAt ? ('failed' as const) : ('waiting' as const),
    error: lastError,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    nextAttemptAt: sentAt || failedAt ? null : nextAttemptAt.toISOString(),
  }))
  return { data, total }
}

/** These wait for a third party's server, and hold no transaction meanwhile. */
function testCalls(services: Services): Feature {
  const { guard, env, vault } = services
  return implementOpen(
    { testMail, testTelegram },
    {
      async testMail({ caller, body, transact, audit }) {
        const { server, address, brand } = await transact(async (db) => ({
          server: typedServer(vault, caller.tenantId, body, await readMail(db, caller.tenantId)),
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
        await transact((db) => noteTested(services, db, caller, server))
      },

      async testTelegram({ caller, body, transact }) {
        const stored = body.token === undefined ? await transact((db) => telegramRow(db, caller)) : undefined
        const chat = await transact((db) =>
          db.selectFrom('notifySettings').select('chatId').where('accountId', '=', caller.accountId).executeTakeFirst(),
        )
        const token = tokenOf(services, stored, body.token)
        if (token === undefined) throw fieldFault('token', 'required', 'illegalTelegramToken')
        try {
          const bot = await botName(guard, env.telegramApi, token)
          // One message to the caller, if they have set their chat.
          if (chat?.chatId) await sendTelegram(guard, env.telegramApi, token, chat.chatId, telegramTest)
          return { bot, isSent: Boolean(chat?.chatId) }
        } catch (error) {
          if (error instanceof TelegramError) throw new Fault('illegalTelegramToken', error.message)
          throw error
        }
      },
    },
  )
}
