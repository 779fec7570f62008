/** What statistics can be filtered by, named as in the log. */
import { useMemo } from 'react'
import { useCountryName } from '../../app/countries.ts'
import { usePhrases } from '../../app/phrases.ts'
import type { FilterField } from '../../kit/FilterBar.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'other']
const caches = ['HIT', 'MISS', 'EXPIRED', 'STALE', 'REVALIDATED', 'UPDATING', 'BYPASS', 'DIRECT']
const actions = ['pass', 'block', 'challenge', 'observe'] as const
const same = (value: string) => ({ value, label: value })

export function useFilterFields(): FilterField[] {
  const t = usePhrases('logs')
  const countryOf = useCountryName()
  return useMemo(
    () => [
      {
        field: 'action',
        label: t('action'),
        options: actions.map((value) => ({ value, label: t(`action.${value}`) })),
      },
      { field: 'status', label: t('status') },
      { field: 'ip', label: t('ip') },
      { field: 'host', label: t('host') },
      { field: 'hostPath', label: t('hostPath') },
      { field: 'url', label: t('url'), noNot: true },
      { field: 'country', label: t('country'), nameOf: countryOf },
      { field: 'method', label: t('method'), options: methods.map(same) },
      { field: 'cache', label: t('cache'), options: caches.map(same) },
      { field: 'userAgent', label: t('userAgent') },
      { field: 'referer', label: t('referer') },
      { field: 'scheme', label: t('scheme'), options: ['https', 'http'].map(same) },
      { field: 'httpVersion', label: t('httpVersion'), options: ['1.0', '1.1', '2', '3'].map(same) },
    ],
    [t, countryOf],
  )
}
