/**
 * Outgoing messages of an installation: testing the mail server, the Telegram bot, and the delivery of each message.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Email, Id, MomentText } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { MailSettings } from './mail-settings.ts'

/** The token format of BotFather: `123456789:AA…`. */
const BotToken = z
  .string()
  .trim()
  .regex(/^\d{5,20}:[A-Za-z0-9_-]{20,100}$/, 'wrongFormat')

export const queuedEmailStates = ['waiting', 'sent', 'failed'] as const
export const channels = ['email', 'tg', 'webhook'] as const
const QueuedEmailState = wordOf('QueuedEmailState', 'How far a message is.', queuedEmailStates)
export const Channel = wordOf('Channel', 'A way to be told: mail, Telegram or a webhook.', channels)

/** The `error` of a message if it did not come from a remote side: the console shows it in the reader's language. */
export const ownErrors = {
  noMailServer: 'no mail server is set up',
  noBot: 'no Telegram bot is set up',
  webhookGone: 'the webhook was taken away',
} as const

export const QueuedEmail = z.object({
  id: z.number().int(),
  channel: Channel,
  recipient: z.string(),
  template: z.string(),
  state: QueuedEmailState,
  attempts: z.number().int(),
  error: z.string().describe('What the other side said last, or one of `ownErrors`.'),
  createdAt: MomentText,
  sentAt: MomentText.nullable(),
  nextAttemptAt: MomentText.nullable(),
})
export type QueuedEmail = z.output<typeof QueuedEmail>

const read = { tiers: ['client'], can: 'settings.read' } as const
const write = { tiers: ['client'], can: 'settings.write' } as const

export const messageSettings = {
  testMail: endpoint('client.setting.email.test', 'POST', '/client/setting/email/test', {
    ...write,
    body: MailSettings.omit({ enable: true }).extend({
      to: Email.optional().describe('Absent: the address of the one who asks.'),
    }),
    summary: 'Sends a test e-mail with these settings and returns the mail server’s answer.',
  }),
  telegram: endpoint('client.setting.tg.get', 'GET', '/client/setting/tg', {
    ...read,
    reply: z.object({ enable: z.boolean(), token: z.literal(''), tokenSet: z.boolean() }),
    summary: 'Returns the Telegram bot, without its token.',
  }),
  updateTelegram: endpoint('client.setting.tg.update', 'PUT', '/client/setting/tg', {
    ...write,
    body: z.strictObject({ enable: z.boolean(), token: BotToken.optional() }),
    summary: 'Saves the Telegram bot.',
  }),
  testTelegram: endpoint('client.setting.tg.test', 'POST', '/client/setting/tg/test', {
    ...write,
    body: z.strictObject({ token: BotToken.optional() }),
    reply: z.object({
      bot: z.string().describe('The name of the bot.'),
      isSent: z.boolean().describe('Whether a message went to the caller’s own chat.'),
    }),
    summary: 'Checks the bot with Telegram.',
  }),
  letters: endpoint('client.setting.email.letters', 'GET', '/client/setting/email/letters', {
    ...read,
    query: Paging.extend({ state: QueuedEmailState.optional(), recipient: z.string().max(256).optional() }),
    reply: pageOf(QueuedEmail),
    kind: 'list',
    beyond: true,
    summary: 'Lists e-mails of the operator and its customers, and their delivery status.',
  }),
  resend: endpoint('client.setting.email.resend', 'POST', '/client/setting/email/letters/resend', {
    ...write,
    body: z.strictObject({ ids: z.array(Id).min(1, 'required').max(100, 'itemsExceedLimit') }),
    beyond: true,
    summary: 'Retries e-mails that could not be sent.',
  }),
}
