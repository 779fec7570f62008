/** Tells people what they asked to be told of. One seam for every event: quiet where nobody listens. */
import type { NotifyEvent } from '@breakwater/contract/messages/notify.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'

/** The same thing is told once in this time, and a person at most so much in an hour. */
const sameMinutes = 30
const perHourMax = 30

/** What the secret of a person's webhook is sealed for. */
export const webhookContext = (accountId: number) => `webhook/${accountId}`

type Told = {
  event: NotifyEvent
  /** Whose people hear of it; with `accountId`, that person alone. */
  tenantId: number
  accountId?: number
  /** What it is about, so that one cause is told once: `node/7`. */
  about: string
  values: Record<string, string>
}

/** Queues the messages in the caller's transaction: a thing that did not happen is not told. */
export async function notify(db: Database, told: Told): Promise<void> {
  await asSystem(db, async (tx) => {
    for (const person of await listeners(tx, told)) {
      for (const channel of person.events[told.event] ?? []) await queue(tx, told, person, channel)
    }
  })
}

function listeners(db: Database, { event, tenantId, accountId }: Told) {
  let people = db
    .selectFrom('notifySettings')
    .innerJoin('accounts', 'accounts.id', 'notifySettings.accountId')
    .select(['notifySettings.accountId', 'notifySettings.tenantId', 'locale', 'chatId', 'webhookUrl'])
    .select(['events', 'accounts.email', 'accounts.account', 'accounts.name'])
    .where('notifySettings.tenantId', '=', tenantId)
    .where('accounts.status', '!=', 3)
    .where(sql<boolean>`notify_settings.events ? ${event}`)
  if (accountId !== undefined) people = people.where('notifySettings.accountId', '=', accountId)
  return people.execute()
}
type Listener = Awaited<ReturnType<typeof listeners>>[number]

async function queue(db: Database, told: Told, person: Listener, way: string): Promise<void> {
  const channel = (['email', 'tg', 'webhook'] as const).find((one) => one === way)
  const recipient = { email: person.email, tg: person.chatId, webhook: person.webhookUrl }[channel ?? 'email']
  if (!channel || recipient === '') return
  const subject = `${channel}/${told.event}/${told.about}`
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
      template: told.event,
      locale: person.locale,
      values: JSON.stringify({ name: person.name, account: person.account, ...told.values }),
      secret: null,
    })
    .execute()
}
