/**
 * Sends people the notifications that they chose. The single entry point for every event; does nothing if nobody
 * subscribed.
 */
import type { NotifyEvent } from '@breakwater/contract/messages/notify.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { grantedSites } from '../db/granted-sites.ts'
import { lockAccount } from '../db/owner-lock.ts'
import type { StoredSecret } from '../settings/sent-secret.ts'

/** The same thing is notified once in this time, and a person gets at most this many messages in an hour. */
const sameMinutes = 30
const perHourMax = 30

/** The context that the secret of a person's webhook is sealed with, and the only address that it signs for. */
export const webhookContext = (accountId: number) => `webhook/${accountId}`
export const storedWebhookSecret = (row: {
  accountId: number
  webhookUrl: string
  webhookSecret: Buffer | null
}): StoredSecret => ({
  sealed: row.webhookSecret,
  context: webhookContext(row.accountId),
  destination: { url: row.webhookUrl },
})

type Notification = {
  event: NotifyEvent
  /** The tenant whose people are notified; with `accountId`, only that person. */
  tenantId: number
  accountId?: number
  /** What it is about, so that one cause is notified once: `node/7`. */
  about: string
  /**
   * The sites that it concerns: people with access to only some sites hear of those alone. Absent if it is about no
   * site.
   */
  siteIds?: readonly number[]
  /** For a message about several sites: the values for those that the person can access. */
  values: Record<string, string> | ((siteIds: readonly number[]) => Record<string, string>)
}

/** Queues the messages in the caller's transaction: nothing is sent for a change that is rolled back. */
export async function notify(db: Database, notification: Notification): Promise<void> {
  await asSystem(db, async (tx) => {
    for (const person of await listeners(tx, notification)) {
      const { siteIds = [], values } = notification
      const reached = siteIds.filter((id) => person.grantedSites === null || person.grantedSites.includes(id))
      if (siteIds.length > 0 && reached.length === 0) continue
      const told = { ...notification, values: typeof values === 'function' ? values(reached) : values }
      for (const channel of person.events[notification.event] ?? []) await queue(tx, told, person, channel)
    }
  })
}

function listeners(db: Database, { event, tenantId, accountId }: Notification) {
  let people = db
    .selectFrom('notifySettings')
    .innerJoin('accounts', 'accounts.id', 'notifySettings.accountId')
    .select(['notifySettings.accountId', 'notifySettings.tenantId', 'locale', 'chatId', 'webhookUrl'])
    .select(['events', 'accounts.email', 'accounts.account', 'accounts.name', grantedSites])
    .where('notifySettings.tenantId', '=', tenantId)
    .where('accounts.status', '!=', 3)
    .where(sql<boolean>`notify_settings.events ? ${event}`)
  if (accountId !== undefined) people = people.where('notifySettings.accountId', '=', accountId)
  // In a fixed order, because each is locked.
  return people.orderBy('notifySettings.accountId').execute()
}
type Listener = Awaited<ReturnType<typeof listeners>>[number]

async function queue(
  db: Database,
  notification: Notification & { values: Record<string, string> },
  person: Listener,
  way: string,
): Promise<void> {
  const channel = (['email', 'tg', 'webhook'] as const).find((one) => one === way)
  const recipient = { email: person.email, tg: person.chatId, webhook: person.webhookUrl }[channel ?? 'email']
  if (!channel || recipient === '') return
  const subject = `${channel}/${notification.event}/${notification.about}`
  await lockAccount(db, person.accountId)
  const { same, lately } = await db
    .selectFrom('mailOutbox')
    .select((on) => [
      on.fn
        .countAll<number>()
        .filterWhere('subject', '=', subject)
        .filterWhere('createdAt', '>', sql<Date>`now() - make_interval(mins => ${sameMinutes})`)
        .as('same'),
      on.fn.countAll<number>().as('lately'),
    ])
    .where('accountId', '=', person.accountId)
    .where('subject', '!=', '')
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  if (same > 0 || lately >= perHourMax) return
  await db
    .insertInto('mailOutbox')
    .values({
      tenantId: person.tenantId,
      accountId: person.accountId,
      channel,
      subject,
      recipient,
      template: notification.event,
      locale: person.locale,
      values: JSON.stringify({ name: person.name, account: person.account, ...notification.values }),
      secret: null,
    })
    .execute()
}
