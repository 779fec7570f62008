/** The log of a time range: over time, by field, and row by row. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { IconButton } from '../kit/Button.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { TimeRange } from '../kit/TimeRange.tsx'
import { useCountryName } from '../platform/countries.ts'
import { useFormat } from '../platform/format.ts'
import { useMedia } from '../platform/media.ts'
import { usePhrases } from '../platform/phrases.ts'
import { zoomedOut } from '../platform/time-range.ts'
import { ColumnPicker } from './ColumnPicker.tsx'
import { ExportButton } from './ExportButton.tsx'
import { type Go, type LogSearchState, useAsked } from './explorer-state.ts'
import { FieldBar } from './FieldBar.tsx'
import { LogHistogram } from './LogHistogram.tsx'
import { logColumns, middleColumns, narrowColumns, usualColumns } from './log-columns.tsx'
import { RowTable } from './RowTable.tsx'

type Props = {
  state: LogSearchState
  go: Go
  onOpen: (row: AccessLogRow) => void
  onFilter: (field: string, value: string, not: boolean) => void
}

export function LogSearch({ state, go, onOpen, onFilter }: Props) {
  const t = usePhrases('logs')
  const format = useFormat()
  const countryOf = useCountryName()
  const { asked, refresh } = useAsked(state)
  const isNarrow = useMedia('phone')
  const isMiddle = useMedia('middle')
  const all = useMemo(() => logColumns(t, format, countryOf, onOpen), [t, format, countryOf, onOpen])
  const fitting = isNarrow ? narrowColumns : isMiddle ? middleColumns : usualColumns
  const keys = state.cols.length > 0 ? state.cols : fitting
  const columns = useMemo(() => all.filter(({ key }) => keys.includes(key)), [all, keys])
  const zoomOut = () => go(zoomedOut({ startTime: asked.startTime, endTime: asked.endTime, minutesStep: 1 }))
  return (
    <>
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput value={state.q} onChange={(q) => go({ q })} label={t('search.text')} className="w-72" />
        <span className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">
          <TimeRange state={state} go={go} />
          <IconButton look="line" label={t('search.refresh')} onClick={refresh}>
            <RefreshCw size={14} aria-hidden />
          </IconButton>
          <ExportButton asked={asked} />
          <ColumnPicker all={all} shown={columns.map(({ key }) => key)} onChange={(cols) => go({ cols })} />
        </span>
      </div>
      <LogHistogram
        asked={asked}
        by={state.by}
        onBy={(by) => go({ by })}
        onRange={go}
        onZoomOut={zoomOut}
        onFilter={onFilter}
      />
      <div className="gap-2.5 lg:flex lg:items-start">
        <FieldBar asked={asked} onFilter={onFilter} />
        <div className="min-w-0 flex-1">
          <RowTable
            asked={asked}
            columns={columns}
            openId={state.row}
            onOpen={onOpen}
            onWiden={zoomOut}
            onFilter={onFilter}
          />
        </div>
      </div>
    </>
  )
}
