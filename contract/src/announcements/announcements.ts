/** Announcements of an operator to all its customers: in three languages, with a start and an end, shown until read. */
import { z } from 'zod'
import { mailLocales } from '../account/accounts.ts'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { genericCharsMax, Id, Moment, MomentText, textBlockCharsMax } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'

export const announcementLevels = ['info', 'warn', 'critical'] as const
const Level = wordOf('AnnouncementLevel', 'How urgent an announcement is.', announcementLevels)
export type AnnouncementLevel = (typeof announcementLevels)[number]
export const announcementsMax = 500
export const announcementCharsMax = textBlockCharsMax

// Control characters other than line breaks are not allowed in a text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const written = /^[^\u0000-\u0009\u000b-\u001f\u007f]*$/
const lines = (max: number) =>
  z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n').trim())
    .pipe(z.string().max(max, 'charactersExceedLimit').regex(written, 'wrongFormat'))
    .default('')

const Text = z.strictObject({ title: lines(genericCharsMax), content: lines(announcementCharsMax) })
export type AnnouncementText = z.output<typeof Text>

const NullableMoment = z.union([z.null(), Moment]).default(null)

/** Each language is written or left out as a whole; at least one is required. */
export const announcementFields = {
  texts: z.strictObject({
    zh_TW: Text.prefault({}),
    zh_CN: Text.prefault({}),
    en_US: Text.prefault({}),
  }),
  level: Level.default('info'),
  ordinal: z
    .number('number')
    .int('number')
    .min(0, 'number')
    .max(1_000_000, 'number')
    .default(0)
    .describe('Small first.'),
  running: z.boolean().default(true).describe('Off: it is shown to nobody, whatever its times say.'),
  startTime: NullableMoment.describe('From when it is shown; null for at once.'),
  endTime: NullableMoment.describe('Until when it is shown; null for ever.'),
}
type Moments = { startTime: number | string | null; endTime: number | string | null }
type Whole = Moments & { texts: Record<(typeof mailLocales)[number], AnnouncementText> }

/** Checks across fields. */
export function checkAnnouncement({ texts, startTime, endTime }: Whole, context: z.RefinementCtx): void {
  const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  const all = mailLocales.map((locale) => ({ locale, ...texts[locale] }))
  if (all.every(({ title }) => title === '')) issue(['texts', 'zh_TW', 'title'], 'required')
  else
    for (const { locale, title, content } of all) if (content && !title) issue(['texts', locale, 'title'], 'required')
  if (startTime !== null && endTime !== null && new Date(endTime) <= new Date(startTime))
    issue(['endTime'], 'endsBeforeStart')
}

export const AnnouncementForm = z.strictObject(announcementFields).superRefine(checkAnnouncement)

const StoredText = z.object({ title: z.string(), content: z.string() })
const NullableText = MomentText.nullable()
export const Announcement = z.object({
  id: z.number().int(),
  title: z.string().describe('In the language of the one who asks, else in the first that is written.'),
  content: z.string(),
  texts: z.object({ zh_TW: StoredText, zh_CN: StoredText, en_US: StoredText }),
  level: Level,
  ordinal: z.number().int(),
  running: z.boolean(),
  startTime: NullableText,
  endTime: NullableText,
  state: wordOf('AnnouncementState', 'Whether an announcement is shown.', ['shown', 'waiting', 'over', 'off']),
  readCount: z.number().int().describe('How many accounts have put it away.'),
  createdAt: MomentText,
})
export type Announcement = z.output<typeof Announcement>

export const ShownAnnouncement = z.object({
  id: z.number().int(),
  title: z.string(),
  content: z.string(),
  level: Level,
  ordinal: z.number().int(),
  running: z.boolean().describe('True for the one in the strip: the first that has not been read.'),
  read: z.boolean(),
  createdAt: MomentText.describe('When it was written, or began to be shown.'),
})
export type ShownAnnouncement = z.output<typeof ShownAnnouncement>

export const announcements = {
  list: endpoint('client.announcements.list', 'GET', '/client/setting/announcements', {
    tiers: ['client'],
    can: 'announcements.read',
    query: Paging,
    reply: pageOf(Announcement),
    kind: 'list',
    summary: 'Lists the operator’s announcements in their order.',
  }),
  create: endpoint('client.announcement.create', 'POST', '/client/setting/announcement', {
    tiers: ['client'],
    can: 'announcements.write',
    body: AnnouncementForm,
    reply: z.object({ id: z.number().int() }),
    summary: 'Creates an announcement for all customers.',
  }),
  update: endpoint('client.announcement.update', 'PUT', '/client/setting/announcement', {
    tiers: ['client'],
    can: 'announcements.write',
    body: z
      .strictObject({
        ...announcementFields,
        id: Id,
        showAgain: z.boolean().default(false).describe('Shows it again also to those who have read it.'),
      })
      .superRefine(checkAnnouncement),
    summary: 'Updates an announcement.',
  }),
  remove: endpoint('client.announcement.remove', 'DELETE', '/client/setting/announcement', {
    tiers: ['client'],
    can: 'announcements.write',
    body: z.strictObject({ id: Id }),
    summary: 'Removes an announcement.',
  }),
  removeMany: endpoint('client.announcements.remove', 'DELETE', '/client/setting/announcements', {
    tiers: ['client'],
    can: 'announcements.write',
    body: Ids,
    summary: 'Removes several announcements. Ids that do not exist are no error.',
  }),
}

export const shownAnnouncements = {
  list: endpoint('user.announcements.list', 'GET', '/user/announcements', {
    tiers: ['user'],
    can: 'signedIn',
    query: Paging,
    reply: pageOf(ShownAnnouncement).extend({ unread: z.number().int() }),
    kind: 'list',
    summary: 'Lists the operator’s current announcements, in its order and the reader’s language.',
  }),
  read: endpoint('user.announcements.read', 'POST', '/user/announcements/read', {
    tiers: ['user'],
    can: 'signedIn',
    audit: false,
    body: Ids,
    beyond: true,
    summary: 'Dismisses announcements: they no longer appear in the banner.',
  }),
}
