/** The rows of messages and their delivery. */
import type { Generated } from 'kysely'
import type { Json, Moment, NullableMoment } from './columns.ts'

export type MessageTables = {
  telegramSettings: { tenantId: number; enabled: boolean; token: Buffer | null; updatedAt: Moment }
  notifySettings: {
    accountId: number
    tenantId: number
    locale: Generated<'zh_TW' | 'zh_CN' | 'en_US'>
    chatId: Generated<string>
    webhookUrl: Generated<string>
    webhookSecret: Buffer | null
    events: Json<Record<string, string[]>>
    updatedAt: Moment
  }
  mailOutbox: {
    id: Generated<number>
    tenantId: number
    recipient: string
    template: string
    locale: string
    values: Json<Record<string, string>>
    secret: Buffer | null
    attempts: Generated<number>
    lastError: Generated<string>
    createdAt: Moment
    nextAttemptAt: Moment
    sentAt: NullableMoment
    channel: Generated<'email' | 'tg' | 'webhook'>
    accountId: number | null
    subject: Generated<string>
    failedAt: NullableMoment
  }
}
