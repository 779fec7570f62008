/** The filters of the log in the URL, and as the calls expect them. */

import { facetFields } from '@breakwater/contract/logs/explorer.ts'
import { LogFilter } from '@breakwater/contract/logs/filter.ts'
import { z } from 'zod'
import type { Filter, FilterField } from '../kit/FilterBar.tsx'
import { logWord, wordOptions } from '../pickers/log-words.ts'
import type { Say } from '../platform/phrases.ts'

export const FilterSearch = z.object({
  site: z.number().int().positive().optional().catch(undefined),
  /** For operators: one of their zones. */
  zone: z.number().int().positive().optional().catch(undefined),
  f: z.array(z.string()).catch([]),
})

/** Fields with numeric values; the rest are strings. */
const numeric: ReadonlySet<string> = new Set(['status', 'cause', 'rule', 'wafRule', 'originStatus', 'node', 'asn'])
/** Fields of 32 bits. */
const wide: ReadonlySet<string> = new Set(['rule', 'wafRule', 'node', 'asn'])

/** Returns the server's filter. Invalid numbers are ignored. */
export function logFilter(
  filters: readonly Filter[],
  siteId: number | undefined,
  text = '',
  zoneId?: number | undefined,
): LogFilter {
  const valuesOf = (field: string, not: boolean) =>
    filters.filter((filter) => filter.field === field && filter.not === not).flatMap(({ values }) => [...values])
  const valuesFor = (field: string, not: boolean) =>
    numeric.has(field)
      ? valuesOf(field, not)
          .map(Number)
          .filter((value) => isCode(field, value))
      : valuesOf(field, not)
  const lists = (not: boolean) =>
    Object.fromEntries([...facetFields, 'wafRule'].map((field) => [field, valuesFor(field, not)]))
  return LogFilter.parse({
    siteIDs: siteId === undefined ? [] : [siteId],
    ...(zoneId === undefined ? {} : { zoneIDs: [zoneId] }),
    ...lists(false),
    not: lists(true),
    url: valuesOf('url', false).at(-1) ?? '',
    reqID: valuesOf('reqID', false).at(-1) ?? '',
    text: text.slice(0, 256),
  })
}

/** Whether a column can hold the number: beyond its range, no row matches. */
const isCode = (field: string, value: number) =>
  Number.isInteger(value) && value >= 0 && value <= (wide.has(field) ? 4_294_967_295 : 65_535)

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const same = (value: string) => ({ value, label: value })

export function filterFields(t: Say<'logs'>, countryOf: (code: string) => string): FilterField[] {
  return [
    { field: 'action', label: t('action'), options: wordOptions('action', t) },
    { field: 'status', label: t('status') },
    { field: 'ip', label: t('ip') },
    { field: 'host', label: t('host') },
    { field: 'url', label: t('url'), noNot: true },
    { field: 'method', label: t('method'), options: methods.map(same), nameOf: (value) => logWord('method', value, t) },
    { field: 'cache', label: t('cache'), options: wordOptions('cache', t) },
    { field: 'country', label: t('country'), nameOf: countryOf },
    { field: 'asn', label: t('asn'), nameOf: (value) => `AS${value}` },
    { field: 'bot', label: t('bot') },
    { field: 'hostPath', label: t('hostPath') },
    { field: 'userAgent', label: t('userAgent') },
    { field: 'referer', label: t('referer') },
    { field: 'scheme', label: t('scheme'), options: ['https', 'http'].map(same) },
    { field: 'httpVersion', label: t('httpVersion'), options: ['1.0', '1.1', '2', '3'].map(same) },
    { field: 'rule', label: t('rule') },
    { field: 'wafRule', label: t('wafRule') },
    { field: 'guard', label: t('guard'), options: wordOptions('guard', t) },
    { field: 'cause', label: t('cause'), options: wordOptions('cause', t) },
    { field: 'node', label: t('node') },
    { field: 'route', label: t('route'), options: wordOptions('route', t) },
    { field: 'contentType', label: t('contentType') },
    { field: 'originStatus', label: t('originStatus') },
    { field: 'originFailure', label: t('originFailure'), options: wordOptions('originFailure', t) },
    { field: 'reqID', label: t('reqID'), noNot: true },
  ]
}
