/** A person's own choice of notifications and channels. */
import { type NotifyEvent, notifyEvents, operatorNotify, userNotify } from '@breakwater/contract/messages/notify.ts'
import { ownErrors } from '@breakwater/contract/messages/settings.ts'
import { brandOf } from '../brand/title.ts'
import { asSystem, type Database, withSystem } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { sealSecret, secretFor, secretOnTheWay } from '../settings/sent-secret.ts'
import { botTokenOf, mailServerOf } from './delivery-settings.ts'
import { storedWebhookSecret, webhookContext } from './notify.ts'
import { render } from './render.ts'
import { type MailError, sendMail } from './smtp.ts'
import { sendTelegram } from './telegram.ts'
import { sendWebhook } from './webhook.ts'

export function notifyFeature(services: Services): Feature {
  const user = choices(services)
  const test = tests(services)
  const [ofUser, ofOperator] = [userNotify, operatorNotify]
  return [
    ...implement({ get: ofUser.get, update: ofUser.update }, user),
    ...implement({ get: ofOperator.get, update: ofOperator.update }, user),
    ...implementOpen({ test: ofUser.test }, test),
    ...implementOpen({ test: ofOperator.test }, test),
  ]
}

const rowOf = (db: Database, { accountId }: Caller) =>
  db.selectFrom('notifySettings').selectAll().where('accountId', '=', accountId).executeTakeFirst()
const emailOf = async (db: Database, { accountId }: Caller) =>
  (await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()).email

type Calls = Parameters<typeof implement<Pick<typeof userNotify, 'get' | 'update'>>>[1]

function choices({ vault, guard }: Services): Calls {
  return {
    async get({ db, caller }) {
      const row = await rowOf(db, caller)
      const available = await asSystem(db, async (tx) => [
        ...((await mailServerOf(tx, vault, caller.tenantId)) ? (['email'] as const) : []),
        ...((await botTokenOf(tx, vault, caller.tenantId)) ? (['tg'] as const) : []),
        'webhook' as const,
      ])
      return {
        locale: row?.locale ?? 'zh_TW',
        email: await emailOf(db, caller),
        tg: row?.chatId ?? '',
        webhook: row?.webhookUrl ?? '',
        webhookSecret: '' as const,
        webhookSecretSet: row?.webhookSecret != null,
        events: (row?.events ?? {}) as Record<string, ('email' | 'tg' | 'webhook')[]>,
        available,
      }
    },

    async update({ db, caller, body, audit }) {
      const foreign = (Object.keys(body.events) as NotifyEvent[]).find(
        (event) => !(notifyEvents[event] as readonly string[]).includes(caller.tier),
      )
      if (foreign) throw fieldFault(`events.${foreign}`, 'notInThisConsole')
      if (body.webhook) await requireReachable(guard, body.webhook)
      const before = await rowOf(db, caller)
      // Without a webhook its secret is deleted: it is valid for no other.
      const use = { destination: { url: body.webhook }, given: body.webhook ? body.webhookSecret : '' }
      const secret = secretFor(vault, before && storedWebhookSecret(before), { ...use, field: 'webhookSecret' })
      if (body.webhook && !secret) throw fieldFault('webhookSecret', 'required')
      const values = {
        tenantId: caller.tenantId,
        locale: body.locale,
        chatId: body.tg,
        webhookUrl: body.webhook,
        webhookSecret: sealSecret(vault, webhookContext(caller.accountId), secret),
        events: JSON.stringify(body.events),
        updatedAt: new Date(),
      }
      await db
        .insertInto('notifySettings')
        .values({ accountId: caller.accountId, ...values })
        .onConflict((on) => on.column('accountId').doUpdateSet(values))
        .execute()
      audit.detail = {
        before: before && { events: before.events, tg: before.chatId },
        after: { events: body.events, tg: body.tg },
      }
    },
  }
}

/** A webhook into a private network is rejected when it is saved, and again each time it is sent. */
async function requireReachable(guard: Services['guard'], url: string): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const addresses = await guard.resolve(host).catch(() => [])
  if (addresses.length === 0) throw fieldFault('webhook', 'notPublic')
}

function tests({ database, vault, guard, env }: Services) {
  type Test = Parameters<typeof implementOpen<Pick<typeof userNotify, 'test'>>>[1]
  return {
    async test({ caller, body }) {
      const { row, email, mail, bot, brand } = await withSystem(database.db, async (db) => ({
        row: await rowOf(db, caller),
        email: await emailOf(db, caller),
        mail: await mailServerOf(db, vault, caller.tenantId),
        bot: await botTokenOf(db, vault, caller.tenantId),
        brand: await brandOf(db, caller.tenantId),
      }))
      const letter = { template: 'test', locale: row?.locale ?? 'zh_TW', values: {}, secret: '' } as const
      const message = render(letter, brand, env.publicUrl)
      try {
        if (body.channel === 'email') {
          if (!mail) throw new Error(ownErrors.noMailServer)
          await sendMail(guard, mail, email, message)
        } else if (body.channel === 'tg') {
          if (!bot || !row?.chatId) throw new Error('no Telegram bot or chat is set up')
          await sendTelegram(guard, env.telegramApi, bot, row.chatId, message.text)
        } else {
          const secret = row && secretOnTheWay(vault, storedWebhookSecret(row), { url: row.webhookUrl })
          if (!row?.webhookUrl || !secret) throw new Error('no webhook is set up')
          const payload = { id: 0, event: 'test', text: message.text, values: {}, at: new Date().toISOString() }
          await sendWebhook(guard, row.webhookUrl, secret, payload)
        }
      } catch (error) {
        const words = (error as MailError).message
        if (body.channel === 'email') throw new Fault('illegalEmailSettings', words)
        if (body.channel === 'tg') throw new Fault('illegalTelegramToken', words)
        throw new Fault('parameterError', words)
      }
    },
  } satisfies Test
}
