/**
 * The job that empties the outbox: each letter is sent once, retried with growing delays, and given up with a stored
 * reason.
 */
import { mailLocales } from '@breakwater/contract/account/accounts.ts'
import { ownErrors } from '@breakwater/contract/messages/settings.ts'
import { brandOf } from '../brand/title.ts'
import { type Database, withSystem } from '../db/database.ts'
import { foreignText } from '../db/foreign-text.ts'
import { openEmail } from '../mail/outbox.ts'
import type { Services } from '../process/services.ts'
import type { Vault } from '../secrets/vault.ts'
import { secretOnTheWay } from '../settings/sent-secret.ts'
import { botTokenOf, mailServerOf } from './delivery-settings.ts'
import { storedWebhookSecret } from './notify.ts'
import { type Locale, type Template, words } from './phrases.ts'
import { type Message, render } from './render.ts'
import { MailError, sendMail } from './smtp.ts'
import { sendTelegram } from './telegram.ts'
import { sendWebhook } from './webhook.ts'

/** Delays before the second, third … attempt, in seconds; after the last one the letter has failed. */
const pauses = [30, 120, 600, 1800, 7200, 21_600, 43_200]
/** How long a letter that is being sent is leased to its worker. */
const leaseSeconds = 120
/** After this time a letter is no longer of use; a link in it is valid for as long. */
const lifeMs: Partial<Record<string, number>> = { signInCode: 10 * 60_000 }
const defaultLifeMs = 24 * 3_600_000
const batchMax = 50

type Row = Awaited<ReturnType<typeof claim>> & object

/** Retrying is pointless. */
class GivenUp extends Error {}

/** Leases the next letter that is due. Two workers never lease the same one. */
function claim(db: Database) {
  return db
    .updateTable('mailOutbox')
    .set((on) => ({
      attempts: on('attempts', '+', 1),
      nextAttemptAt: new Date(Date.now() + leaseSeconds * 1000),
    }))
    .where('id', '=', (on) =>
      on
        .selectFrom('mailOutbox')
        .select('id')
        .where('sentAt', 'is', null)
        .where('failedAt', 'is', null)
        .where('nextAttemptAt', '<=', new Date())
        .orderBy('nextAttemptAt')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Sends all letters that are due, and returns how many were sent. */
export async function sendDue(services: Services): Promise<number> {
  const { database, logger } = services
  let sent = 0
  for (let count = 0; count < batchMax; count += 1) {
    const row = await withSystem(database.db, claim)
    if (!row) break
    const failure = await trySend(services, row)
    await withSystem(database.db, (db) => note(db, row, failure))
    if (failure === undefined) sent += 1
    else
      logger.warn({ letter: row.id, channel: row.channel, attempt: row.attempts, reason: failure.message }, 'not sent')
  }
  return sent
}

async function trySend(services: Services, row: Row): Promise<Error | undefined> {
  try {
    if (Date.now() - row.createdAt.getTime() > (lifeMs[row.template] ?? defaultLifeMs)) {
      throw new GivenUp(row.lastError || 'too late: what it says is of no use any more')
    }
    await send(services, row)
    return undefined
  } catch (error) {
    return error as Error
  }
}

async function note(db: Database, row: Row, failure: Error | undefined): Promise<void> {
  const change = db.updateTable('mailOutbox').where('id', '=', row.id)
  // The secret is kept while it may still be sent, and no longer.
  if (!failure) return void (await change.set({ sentAt: new Date(), lastError: '', secret: null }).execute())
  const isOver =
    failure instanceof GivenUp || (failure instanceof MailError && failure.final) || row.attempts > pauses.length
  const lastError = foreignText(failure.message, 500)
  if (isOver) return void (await change.set({ failedAt: new Date(), lastError }).execute())
  const pause = pauses[row.attempts - 1] ?? pauses.at(-1)!
  await change.set({ lastError, nextAttemptAt: new Date(Date.now() + pause * 1000) }).execute()
}

/** The key that signs a person's webhook, as long as the address is still that person's. */
async function webhookSecret(db: Database, vault: Vault, accountId: number, url: string): Promise<string> {
  const row = await db
    .selectFrom('notifySettings')
    .select(['accountId', 'webhookUrl', 'webhookSecret'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  const secret = row && secretOnTheWay(vault, storedWebhookSecret(row), { url })
  if (!secret) throw new GivenUp(ownErrors.webhookGone)
  return secret
}

const localeOf = (text: string): Locale => mailLocales.find((locale) => locale === text) ?? 'zh_TW'

async function send({ database, vault, guard, env }: Services, row: Row): Promise<void> {
  if (!(row.template in words.en_US)) throw new GivenUp(`no words for ${row.template}`)
  const ways = await withSystem(database.db, async (db) => ({
    mail: row.channel === 'email' ? await mailServerOf(db, vault, row.tenantId) : undefined,
    bot: row.channel === 'tg' ? await botTokenOf(db, vault, row.tenantId) : undefined,
    brand: await brandOf(db, row.tenantId),
  }))
  const secret = row.secret ? openEmail(vault, { ...row, secret: row.secret }) : ''
  const letter = { template: row.template as Template, locale: localeOf(row.locale), values: row.values, secret }
  const message: Message = render(letter, ways.brand, env.publicUrl)
  if (row.channel === 'webhook') {
    const at = row.createdAt.toISOString()
    const payload = { id: row.id, event: row.template, text: message.text, values: row.values, at }
    const key = await withSystem(database.db, (db) => webhookSecret(db, vault, row.accountId ?? 0, row.recipient))
    return sendWebhook(guard, row.recipient, key, payload)
  }
  if (row.channel === 'tg') {
    if (!ways.bot) throw new Error(ownErrors.noBot)
    return sendTelegram(guard, env.telegramApi, ways.bot, row.recipient, `${message.subject}\n\n${message.text}`)
  }
  if (!ways.mail) throw new Error(ownErrors.noMailServer)
  await sendMail(guard, ways.mail, row.recipient, message)
}
