/** Requests over time; dragging on it narrows the range. */
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { useMemo } from 'react'
import { Failed } from '../kit/faults.tsx'
import { Panel } from '../kit/Panel.tsx'
import { TimeSeries } from '../kit/TimeSeries.tsx'
import { Segments } from '../kit/Toggle.tsx'
import type { Line } from '../kit/time-series.ts'
import { logWord } from '../pickers/log-words.ts'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { type Say, usePhrases } from '../platform/phrases.ts'
import type { Asked } from './explorer-state.ts'

type By = 'action' | 'status'
type Props = {
  asked: Asked
  by: By
  onBy: (by: By) => void
  onRange: (range: { from: number; to: number }) => void
  onZoomOut: () => void
  onFilter: (field: string, value: string, not: boolean) => void
}

const colors: Record<By, Record<string, string>> = {
  action: { pass: '--pass', observe: '--c15', challenge: '--c2', block: '--drop', drop: '--c13' },
  status: { '2xx': '--pass', '3xx': '--c15', '4xx': '--c2', '444': '--c13', '5xx': '--drop' },
}

export function LogHistogram({ asked, by, onBy, onRange, onZoomOut, onFilter }: Props) {
  const t = usePhrases('logs')
  const format = useFormat()
  const call = useCall(logExplorer.histogram, { body: { ...asked, by } })
  const { data } = call
  const chart = useMemo(() => {
    if (!data) return undefined
    const seen = new Set(data.buckets.flatMap(({ value }) => Object.keys(value)))
    const known = Object.keys(colors[by])
    const keys = [...known.filter((key) => seen.has(key)), ...[...seen].filter((key) => !known.includes(key))]
    const lines = keys.map((key) => lineOf(key, by, t))
    return { points: data.buckets, lines, covers: { from: data.from, to: data.to, step: data.step } }
  }, [data, by, t])
  const lines = chart?.lines.map((line) =>
    by === 'action'
      ? {
          ...line,
          onOnly: () => onFilter('action', line.key, false),
          onExclude: () => onFilter('action', line.key, true),
        }
      : line,
  )
  return (
    <Panel
      className="mb-2.5"
      title={<span className="num">{data ? t('search.count', { n: data.total }) : t('search.counting')}</span>}
      aside={
        <Segments
          label={t('histogram.by')}
          value={by}
          onChange={onBy}
          options={[
            { value: 'action', label: t('action') },
            { value: 'status', label: t('status') },
          ]}
        />
      }
    >
      {call.isError ? (
        <Failed fault={call.error} retry={() => call.refetch()} />
      ) : chart && lines ? (
        <TimeSeries
          label={t('histogram.label')}
          {...chart}
          lines={lines}
          format={format.compact}
          height={130}
          isBars
          onRange={onRange}
          onZoomOut={onZoomOut}
        />
      ) : (
        <div className="skeleton appear-late h-[160px]" />
      )}
    </Panel>
  )
}

function lineOf(key: string, by: By, t: Say<'logs'>): Line {
  return { key, label: by === 'action' ? logWord(by, key, t) : key, color: colors[by][key] ?? '--line-strong' }
}
