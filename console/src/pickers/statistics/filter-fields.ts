/** The fields that statistics can be filtered by, named as in the log. */
import { useMemo } from 'react'
import type { FilterField } from '../../kit/FilterBar.tsx'
import { useCountryName } from '../../platform/countries.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { logWord, wordOptions } from '../log-words.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'other']
const same = (value: string) => ({ value, label: value })

export function useFilterFields(): FilterField[] {
  const t = usePhrases('logs')
  const countryOf = useCountryName()
  return useMemo(
    () => [
      { field: 'action', label: t('action'), options: wordOptions('action', t) },
      { field: 'status', label: t('status') },
      { field: 'ip', label: t('ip') },
      { field: 'host', label: t('host') },
      { field: 'hostPath', label: t('hostPath') },
      { field: 'url', label: t('url'), noNot: true },
      { field: 'country', label: t('country'), nameOf: countryOf },
      { field: 'bot', label: t('bot') },
      { field: 'asn', label: t('asn'), nameOf: (value) => `AS${value}` },
      {
        field: 'method',
        label: t('method'),
        options: methods.map((value) => ({ value, label: logWord('method', value, t) })),
      },
      { field: 'cache', label: t('cache'), options: wordOptions('cache', t) },
      { field: 'wafRule', label: t('wafRule') },
      { field: 'userAgent', label: t('userAgent') },
      { field: 'referer', label: t('referer') },
      { field: 'scheme', label: t('scheme'), options: ['https', 'http'].map(same) },
      { field: 'httpVersion', label: t('httpVersion'), options: ['1.0', '1.1', '2', '3'].map(same) },
    ],
    [t, countryOf],
  )
}
