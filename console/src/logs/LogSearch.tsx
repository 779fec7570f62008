/** The log of a range of time, in pages. */
import { type AccessLogRow, accessLog } from '@breakwater/contract/logs/access.ts'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch, useSearchState } from '../app/search-state.ts'
import { RangeSearch, useRange } from '../app/time-range.ts'
import { Empty } from '../kit/Empty.tsx'
import type { Filter } from '../kit/FilterBar.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { TimeRange } from '../kit/TimeRange.tsx'
import { useCountryName } from '../pickers/country.tsx'
import { logFilter } from './filters.ts'
import { logColumns } from './log-columns.tsx'

const Search = ListSearch.extend({
  sortBy: z.enum(['time', 'status', 'traffic', 'requestTime']).catch('time'),
  ...RangeSearch.shape,
})

type Props = { filters: readonly Filter[]; siteId: number | undefined; onOpen: (row: AccessLogRow) => void }

export function LogSearch({ filters, siteId, onOpen }: Props) {
  const t = usePhrases('logs')
  const format = useFormat()
  const countryOf = useCountryName()
  const [state, go] = useSearchState(Search)
  const { page, pageSize, sortBy, orderBy } = state
  const { startTime, endTime } = useRange(state)
  const call = useCall(accessLog.list, {
    // The log is asked up to this moment: a row of a second ago is what one looks for.
    body: {
      ...logFilter(filters, siteId),
      startTime,
      endTime: endTime + bucketSeconds,
      page,
      pageSize,
      sortBy,
      orderBy,
    },
  })
  return (
    <>
      <div className="mb-2.5">
        <TimeRange state={state} go={(patch) => go({ ...patch, page: 1 })} />
      </div>
      <ResourceTable
        label={t('title')}
        call={call}
        columns={logColumns(t, format, countryOf, onOpen)}
        rowKey={({ reqID, time }) => `${reqID}-${time}`}
        rowLabel={({ method, url }) => `${method} ${url}`}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        onOpen={onOpen}
        empty={<Empty title={t('search.empty')} />}
      />
    </>
  )
}

const bucketSeconds = 300
