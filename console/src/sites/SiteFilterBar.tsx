/** The filters of site lists, besides the name. */
import { type Filter, FilterBar } from '../kit/FilterBar.tsx'
import { type PlainKey, usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { filterNames, type SiteFilterProps, statusCodes, unfiltered } from './site-filters.ts'

export function SiteFilterBar({ state, go, startsOpen }: SiteFilterProps & { startsOpen: boolean }) {
  const t = usePhrases('sites')
  const { tier } = usePlaces()
  const filters: Filter[] = filterNames
    .filter((name) => state[name] !== '')
    .map((name) => ({ field: name, not: false, values: [state[name]] }))
  const statusName = (value: string) => t(`status.${value}` as PlainKey<'sites'>)
  return (
    <FilterBar
      startsOpen={startsOpen}
      filters={filters}
      onChange={(next) =>
        go({
          ...unfiltered,
          siteName: state.siteName,
          ...Object.fromEntries(next.map(({ field, values }) => [field, values.at(-1) ?? ''])),
          page: 1,
        })
      }
      fields={[
        {
          field: 'status',
          label: t('status'),
          noNot: true,
          options: Object.keys(statusCodes).map((value) => ({ value, label: statusName(value) })),
          nameOf: statusName,
        },
        { field: 'tag', label: t('tags'), noNot: true },
        ...(tier === 'client' ? [{ field: 'productName', label: t('product'), noNot: true }] : []),
      ]}
    />
  )
}
