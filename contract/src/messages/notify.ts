/** Which events a person wants to be notified of, and through which channel. */
import { z } from 'zod'
import { endpoint, type Tier } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Locale, urlCharsMax } from '../fields.ts'
import { Channel, channels } from './settings.ts'

/** The events and the consoles that they concern. Each of them occurs in the product. */
export const notifyEvents = {
  signInNewAddress: ['user', 'client'],
  accountLocked: ['user', 'client'],
  apiTokenCreated: ['user', 'client'],
  siteNotApplied: ['user', 'client'],
  originDown: ['user', 'client'],
  originBack: ['user', 'client'],
  attackBegun: ['user', 'client'],
  attackOver: ['user', 'client'],
  certificateEnding: ['user', 'client'],
  siteExpiring: ['user', 'client'],
  nodeAway: ['client'],
  nodeBack: ['client'],
} as const satisfies Record<string, readonly Tier[]>
export type NotifyEvent = keyof typeof notifyEvents
export const notifyEventNames = Object.keys(notifyEvents) as NotifyEvent[]

const Channels = z.array(Channel).max(channels.length)
const Events = z.partialRecord(
  wordOf('NotifyEvent', 'What one is told of.', notifyEventNames as [NotifyEvent, ...NotifyEvent[]]),
  Channels,
)

const ChatId = z.union([z.literal(''), z.string().regex(/^(-?\d{1,20}|@[A-Za-z0-9_]{5,32})$/, 'wrongFormat')])
const Url = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'wrongFormat' }).max(urlCharsMax, 'charactersExceedLimit'),
])

export const NotifySettings = z.strictObject({
  locale: Locale,
  tg: ChatId.describe('The chat that the operator’s bot writes to; empty for none.'),
  webhook: Url.describe('Where a signed POST goes; empty for none.'),
  events: Events,
})
export type NotifySettings = z.output<typeof NotifySettings>

const reply = NotifySettings.extend({
  email: z.string().describe('Where letters go: the address of the account.'),
  webhookSecret: z.literal(''),
  webhookSecretSet: z.boolean(),
  available: z.array(Channel).describe('The ways that the operator has set up.'),
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
      summary: 'Returns one’s notification settings.',
    }),
    update: endpoint(`${tier}.setting.notify.update`, 'PUT', `/${tier}/setting/notify`, {
      ...shape,
      body,
      beyond,
      summary: 'Updates one’s notification settings.',
    }),
    test: endpoint(`${tier}.setting.notify.test`, 'POST', `/${tier}/setting/notify/test`, {
      ...shape,
      body: z.strictObject({ channel: Channel }),
      beyond: true,
      summary: 'Sends oneself a test message through one channel.',
    }),
  }
}

export const userNotify = calls('user')
export const operatorNotify = calls('client')
