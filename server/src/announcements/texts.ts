/** Chooses the language of an announcement for a reader. */
import type { mailLocales } from '@breakwater/contract/account/accounts.ts'
import type { AnnouncementText } from '@breakwater/contract/announcements/announcements.ts'
import { emailLocale } from '../auth/mail-code.ts'
import type { AnnouncementTexts } from '../db/brand-tables.ts'

/** The other Chinese is closer than English; after English, Traditional Chinese comes before Simplified. */
const nearest: Record<(typeof mailLocales)[number], readonly (typeof mailLocales)[number][]> = {
  zh_TW: ['zh_TW', 'zh_CN', 'en_US'],
  zh_CN: ['zh_CN', 'zh_TW', 'en_US'],
  en_US: ['en_US', 'zh_TW', 'zh_CN'],
}

/** The text in the language closest to the reader's Accept-Language that has a title. */
export function textFor(texts: AnnouncementTexts, acceptLanguage: string | undefined): AnnouncementText {
  const locale = nearest[emailLocale(acceptLanguage)].find((one) => texts[one].title !== '')
  return texts[locale ?? 'zh_TW']
}
