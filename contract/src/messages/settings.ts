/** How letters leave an installation: the operator's mail server and Telegram bot (gaps B-47), and what became of each letter. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Email, genericCharsMax, MomentText, Port } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

export const mailEncryptions = ['none', 'starttls', 'tls'] as const

const Host = z
  .string()
  .trim()
  .min(1, 'required')
  .max(253, 'charactersExceedLimit')
  .regex(/^[A-Za-z0-9.:_-]*$/, 'wrongFormat')
// `Harbour <no-reply@harbour.example>` or the address alone; no line break can end up in a header.
const Sender = z
  .string()
  .trim()
  .min(1, 'required')
  .max(genericCharsMax, 'charactersExceedLimit')
  .regex(/^([^<>\r\n"]* <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, 'emailError')
const Secret = z
  .string()
  .max(genericCharsMax, 'charactersExceedLimit')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'wrongFormat')

const MailFields = {
  host: Host,
  port: Port,
  account: z.string().trim().max(genericCharsMax, 'charactersExceedLimit').default(''),
  /** Absent keeps the stored one; it is never answered. */
  password: Secret.optional(),
  from: Sender,
  encryption: z.enum(mailEncryptions),
}
export const MailSettings = z.strictObject({ enable: z.boolean(), ...MailFields })
export type MailSettings = z.output<typeof MailSettings>

/** What BotFather hands out: `123456789:AA…`. */
const BotToken = z
  .string()
  .trim()
  .regex(/^\d{5,20}:[A-Za-z0-9_-]{20,100}$/, 'wrongFormat')

export const letterStates = ['waiting', 'sent', 'failed'] as const
export const channels = ['email', 'tg', 'webhook'] as const

/** What stands in a letter's `error` where nobody else spoke: the console says it in the reader's language. */
export const ownErrors = {
  noMailServer: 'no mail server is set up',
  noBot: 'no Telegram bot is set up',
  webhookGone: 'the webhook was taken away',
} as const

export const Letter = z.object({
  id: z.number().int(),
  channel: z.enum(channels),
  recipient: z.string(),
  template: z.string(),
  state: z.enum(letterStates),
  attempts: z.number().int(),
  error: z.string().describe('What the other side said last, or one of `ownErrors`.'),
  createdAt: MomentText,
  sentAt: MomentText.nullable(),
  nextAttemptAt: MomentText.nullable(),
})
export type Letter = z.output<typeof Letter>

const read = { tiers: ['client'], can: 'settings.read' } as const
const write = { tiers: ['client'], can: 'settings.write' } as const

export const messageSettings = {
  mail: endpoint('client.setting.email.get', 'GET', '/client/setting/email', {
    ...read,
    reply: z.object({
      enable: z.boolean(),
      host: z.string(),
      port: z.number().int(),
      account: z.string(),
      password: z.literal(''),
      passwordSet: z.boolean(),
      from: z.string(),
      encryption: z.enum(mailEncryptions),
      tested: z.boolean().describe('Whether these very settings have passed the test.'),
    }),
    summary: 'The mail server; its password is never answered.',
  }),
  updateMail: endpoint('client.setting.email.update', 'PUT', '/client/setting/email', {
    ...write,
    audit: 'client.setting.email.update',
    body: MailSettings,
    summary: 'Saves the mail server.',
  }),
  testMail: endpoint('client.setting.email.test', 'POST', '/client/setting/email/test', {
    ...write,
    audit: 'client.setting.email.test',
    body: z.strictObject({ ...MailFields, to: Email.optional().describe('Absent: the address of the one who asks.') }),
    summary: 'Sends one letter with these settings and answers when the mail server has.',
  }),
  telegram: endpoint('client.setting.tg.get', 'GET', '/client/setting/tg', {
    ...read,
    reply: z.object({ enable: z.boolean(), token: z.literal(''), tokenSet: z.boolean() }),
    summary: 'The Telegram bot; its token is never answered.',
  }),
  updateTelegram: endpoint('client.setting.tg.update', 'PUT', '/client/setting/tg', {
    ...write,
    audit: 'client.setting.tg.update',
    body: z.strictObject({ enable: z.boolean(), token: BotToken.optional() }),
    summary: 'Saves the Telegram bot.',
  }),
  testTelegram: endpoint('client.setting.tg.test', 'POST', '/client/setting/tg/test', {
    ...write,
    audit: 'client.setting.tg.test',
    body: z.strictObject({ token: BotToken.optional() }),
    reply: z.object({ bot: z.string().describe('The name of the bot.') }),
    summary: 'Asks Telegram who the bot is.',
  }),
  letters: endpoint('client.setting.email.letters', 'GET', '/client/setting/email/letters', {
    ...read,
    query: Paging.extend({ state: z.enum(letterStates).optional(), recipient: z.string().max(256).optional() }),
    reply: pageOf(Letter),
    kind: 'list',
    beyond: true,
    summary: 'Letters of the operator and its customers, and what became of them.',
  }),
  resend: endpoint('client.setting.email.resend', 'POST', '/client/setting/email/letters/resend', {
    ...write,
    audit: 'client.setting.email.resend',
    body: z.strictObject({ ids: z.array(z.number().int().positive()).min(1, 'required').max(100, 'itemsExceedLimit') }),
    beyond: true,
    summary: 'Tries letters again that could not be sent.',
  }),
}
