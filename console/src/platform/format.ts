/** Formats numbers, volumes and times in the chosen language and the page's time zone. */
import { type Format, makeFormat } from '@breakwater/contract/format.ts'
import { kept } from '@breakwater/contract/kept.ts'
import { type Locale, useLocale } from './locale.ts'
import { useTimeZone } from './time-zone.ts'

export type { Format }

const formats = kept((locale: Locale) => kept((zone: string | undefined) => makeFormat(locale, zone)))

export const useFormat = (): Format => formats(useLocale().locale)(useTimeZone())
