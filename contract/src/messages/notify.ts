/** What a person wants to hear of, and by which way. */
import { z } from 'zod'
import { mailLocales } from '../account/accounts.ts'
import { endpoint, type Tier } from '../endpoint.ts'
import { urlCharsMax } from '../fields.ts'
import { channels } from './settings.ts'

/** What is told, and whom it concerns. Each occurs in the product. */
export const notifyEvents = {
  signInNewAddress: ['user', 'client'],
  accountLocked: ['user', 'client'],
  apiTokenCreated: ['user', 'client'],
  siteNotApplied: ['user', 'client'],
  nodeAway: ['client'],
  nodeBack: ['client'],
} as const satisfies Record<string, readonly Tier[]>
export type NotifyEvent = keyof typeof notifyEvents
export const notifyEventNames = Object.keys(notifyEvents) as NotifyEvent[]

const Channels = z.array(z.enum(channels)).max(channels.length)
const Events = z.partialRecord(z.enum(notifyEventNames as [NotifyEvent, ...NotifyEvent[]]), Channels)

const ChatId = z.union([z.literal(''), z.string().regex(/^(-?\d{1,20}|@[A-Za-z0-9_]{5,32})$/, 'wrongFormat')])
const Url = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'wrongFormat' }).max(urlCharsMax, 'charactersExceedLimit'),
])

export const NotifySettings = z.strictObject({
  locale: z.enum(mailLocales),
  tg: ChatId.describe('The chat that the operator’s bot writes to; empty for none.'),
  webhook: Url.describe('Where a signed POST goes; empty for none.'),
  events: Events,
})
export type NotifySettings = z.output<typeof NotifySettings>

const reply = NotifySettings.extend({
  email: z.string().describe('Where letters go: the address of the account.'),
  webhookSecret: z.literal(''),
  webhookSecretSet: z.boolean(),
  available: z.array(z.enum(channels)).describe('The ways that the operator has set up.'),
})
const body = NotifySettings.extend({
  webhookSecret: z.string().min(16, 'passwordTooShort').max(256, 'charactersExceedLimit').optional(),
})

const calls = (tier: 'user' | 'client') => {
  const shape = { tiers: [tier], can: 'signedIn' } as const
  const beyond = tier === 'client'
  return {
    get: endpoint(`${tier}.setting.notify.get`, 'GET', `/${tier}/setting/notify`, {
      ...shape,
      reply,
      beyond,
      summary: 'What one is told of, and how.',
    }),
    update: endpoint(`${tier}.setting.notify.update`, 'PUT', `/${tier}/setting/notify`, {
      ...shape,
      audit: `${tier}.setting.notify.update`,
      body,
      beyond,
      summary: 'Changes what one is told of, and how.',
    }),
    test: endpoint(`${tier}.setting.notify.test`, 'POST', `/${tier}/setting/notify/test`, {
      ...shape,
      audit: `${tier}.setting.notify.test`,
      body: z.strictObject({ channel: z.enum(channels) }),
      beyond: true,
      summary: 'Sends oneself a message by one of the ways.',
    }),
  }
}

export const userNotify = calls('user')
export const operatorNotify = calls('client')
