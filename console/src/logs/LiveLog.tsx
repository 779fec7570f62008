/** Requests as they happen; shows how far it lags behind and how many were skipped. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { ArrowUp, Pause, Play } from 'lucide-react'
import { memo, useMemo, useRef, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import type { Filter } from '../kit/FilterBar.tsx'
import { isPlainClick } from '../kit/plain-click.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { ScrollRegion } from '../kit/ScrollRegion.tsx'
import { Status } from '../kit/Status.tsx'
import { useCountryName } from '../platform/countries.ts'
import { useFormat } from '../platform/format.ts'
import { useMedia } from '../platform/media.ts'
import { usePhrases } from '../platform/phrases.ts'
import { logFilter } from './filters.ts'
import { useLiveLog } from './live.ts'
import { logColumns, narrowColumns, usualColumns } from './log-columns.tsx'

type Props = {
  filters: readonly Filter[]
  siteId: number | undefined
  zoneId: number | undefined
  onOpen: (row: AccessLogRow) => void
}

export function LiveLog({ filters, siteId, zoneId, onOpen }: Props) {
  const t = usePhrases('logs')
  const format = useFormat()
  const countryOf = useCountryName()
  const [isPaused, setPaused] = useState(false)
  const [live, clear] = useLiveLog(logFilter(filters, siteId, '', zoneId), isPaused)
  const fitting = useMedia('phone') ? narrowColumns : usualColumns
  const columns = useMemo(
    () => logColumns(t, format, countryOf, onOpen).filter(({ key }) => fitting.includes(key)),
    [t, format, countryOf, onOpen, fitting],
  )
  // Scrolling down means reading: the rows are frozen until the list is scrolled to the top again.
  const [held, setHeld] = useState<readonly AccessLogRow[]>()
  const box = useRef<HTMLElement>(null)
  const rows = held ?? live.rows
  const arrived = held ? live.rows.findIndex(({ id }) => id === held[0]?.id) : 0
  const waiting = arrived < 0 ? live.rows.length : arrived
  function resume() {
    setHeld(undefined)
    box.current?.scrollTo({ top: 0 })
  }
  return (
    <div className="overflow-hidden rounded-panel border border-line bg-surface">
      <div className="flex min-h-[42px] flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1.5">
        <span role="status">
          {isPaused ? (
            <Status tone="warn">{t('live.paused')}</Status>
          ) : live.state === 'on' ? (
            <Status tone="ok">{t('live.on')}</Status>
          ) : (
            <Status tone={live.state === 'lost' ? 'bad' : 'info'} going>
              {t(live.state === 'lost' ? 'live.lost' : 'live.connecting')}
            </Status>
          )}
        </span>
        {live.state === 'on' && !isPaused && (
          <span className="num text-ink-3">{t('live.lag', { lag: format.ms(live.lagMs) })}</span>
        )}
        {live.dropped > 0 && <span className="num text-warn">{t('live.dropped', { n: live.dropped })}</span>}
        {held && (
          <Button size="sm" look="ghost" onClick={resume}>
            <ArrowUp size={13} aria-hidden />
            {t('live.held', { n: waiting })}
          </Button>
        )}
        <span className="ml-auto flex gap-2">
          <Button
            size="sm"
            look="ghost"
            onClick={() => {
              setHeld(undefined)
              clear()
            }}
          >
            {t('live.clear')}
          </Button>
          <Button size="sm" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? <Play size={13} aria-hidden /> : <Pause size={13} aria-hidden />}
            {t(isPaused ? 'live.resume' : 'live.pause')}
          </Button>
        </span>
      </div>
      {rows.length === 0 ? (
        <div className="px-4 py-14 text-center text-ink-3">
          <Empty title={t('live.waiting')}>{t('live.waitingText')}</Empty>
        </div>
      ) : (
        <ScrollRegion
          ref={box}
          label={t('title')}
          className="max-h-[calc(100dvh-240px)]"
          onScroll={({ currentTarget }) => {
            if (currentTarget.scrollTop <= 4) setHeld(undefined)
            else setHeld((before) => before ?? live.rows)
          }}
        >
          <table className="w-full text-left">
            <thead className="sticky top-0 z-1 bg-surface">
              <tr className="h-[34px] border-line border-b">
                {columns.map((column) => (
                  <th
                    key={column.key}
                    scope="col"
                    className={`px-2.5 font-medium text-ink-3 text-xs whitespace-nowrap first:pl-4 last:pr-4 ${column.end ? 'text-right' : ''}`}
                  >
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.id} row={row} columns={columns} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  )
}

/** Up to fifty new rows a second move the others down; existing ones do not render again. */
type RowProps = { row: AccessLogRow; columns: Column<AccessLogRow>[]; onOpen: (row: AccessLogRow) => void }

const Row = memo(function Row({ row, columns, onOpen }: RowProps) {
  return (
    // The keyboard opens a row with the button in its first cell.
    <tr
      onClick={(event) => isPlainClick(event) && onOpen(row)}
      className="cursor-pointer h-8 border-line border-b last:border-b-0 hover:bg-sunken"
    >
      {columns.map((column) => (
        <td
          key={column.key}
          className={`whitespace-nowrap px-2.5 first:pl-4 last:pr-4 ${column.end ? 'num text-right' : ''} ${column.grows ? 'sm:w-full' : ''}`}
        >
          {column.render(row)}
        </td>
      ))}
    </tr>
  )
})
