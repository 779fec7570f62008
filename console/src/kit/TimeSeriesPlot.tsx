/** Draws a time series and handles mouse and keyboard. Loaded when the first chart is shown. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useIsDark } from '../platform/theme.ts'
import { useTimeZone } from '../platform/time-zone.ts'
import { SeriesTip } from './SeriesTip.tsx'
import { seriesOptions } from './series-options.ts'
import type { SeriesProps } from './time-series.ts'

/** The point under the cursor, and the one where the selection began. */
type Cursor = { index: number; left: number; from?: number | undefined }

export function TimeSeriesPlot(props: SeriesProps) {
  const { label, points, lines, before, covers, format, height = 220, onRange, onZoomOut, isBars } = props
  const t = usePhrases('kit')
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const isDark = useIsDark()
  const clock = useFormat()
  const zone = useTimeZone()
  const [cursor, setCursor] = useState<Cursor>()
  const tell = useRef(onRange)
  tell.current = onRange
  const canDraw = onRange !== undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the current theme
  useEffect(() => {
    const element = box.current!
    const size = { width: element.clientWidth, height }
    const drawing = { points, lines, before, covers, format, element, clock, zone, isBars, ...size }
    const { options, data } = seriesOptions(drawing)
    let isOver = false
    const chart = new uPlot(
      {
        ...options,
        cursor: {
          y: false,
          drag: { x: canDraw, y: false, setScale: false },
          // The charts of a page share the cursor line; a selection belongs to the chart it is drawn on.
          sync: { key: 'page', filters: { pub: isMove, sub: isMove } },
        },
        hooks: {
          ...options.hooks,
          setCursor: [
            ({ cursor: at, select }) => {
              const { idx, left = -1 } = at
              if (!isOver || idx === null || idx === undefined || left < 0) return setCursor(undefined)
              const from = select.width > 0 ? chart.posToIdx(select.left) : undefined
              setCursor({ index: idx, left, from })
            },
          ],
          setSelect: [
            ({ select }) => {
              if (!isOver || select.width < 6) return
              const from = Math.floor(chart.posToVal(select.left, 'x'))
              const to = Math.ceil(chart.posToVal(select.left + select.width, 'x'))
              clearSelect(chart)
              tell.current?.({ from, to })
            },
          ],
        },
      },
      data,
      element,
    )
    plot.current = chart
    // A drag that is released outside the chart still belongs to it.
    chart.over.addEventListener('pointerenter', () => (isOver = true))
    chart.over.addEventListener('pointerdown', () => (isOver = true))
    chart.over.addEventListener('pointerleave', ({ buttons }) => (isOver = buttons > 0))
    const sizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      chart.destroy()
      plot.current = undefined
      element.replaceChildren()
    }
  }, [points, lines, before, covers, format, height, isDark, clock, zone, canDraw, isBars])

  function moveTo(index: number, from: number | undefined) {
    const chart = plot.current
    const at = Math.max(0, Math.min(points.length - 1, index))
    if (!chart || !points[at]) return
    const left = chart.valToPos(points[at].time, 'x')
    chart.setCursor({ left, top: 0 })
    const start = from === undefined ? left : chart.valToPos(points[from]!.time, 'x')
    const select = {
      left: Math.min(start, left),
      width: Math.abs(left - start),
      top: 0,
      height: chart.over.clientHeight,
    }
    chart.setSelect(select, false)
    setCursor({ index: at, left, from })
  }

  function press(event: KeyboardEvent) {
    const index = cursor?.index ?? points.length - 1
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -points.length, End: points.length }[
      event.key
    ]
    if (step !== undefined) moveTo(index + step, event.shiftKey ? (cursor?.from ?? index) : undefined)
    else if (event.key === 'Enter' && cursor?.from !== undefined && cursor.from !== cursor.index)
      zoom(cursor.from, index)
    else if (event.key === 'Escape' && cursor) leave()
    else if (event.key === 'z' && onZoomOut) onZoomOut()
    else return
    event.preventDefault()
  }

  function zoom(first: number, last: number) {
    const [from, to] = [Math.min(first, last), Math.max(first, last)]
    leave()
    onRange?.({ from: points[from]!.time, to: points[to]!.time })
  }

  function leave() {
    if (plot.current) clearSelect(plot.current)
    plot.current?.setCursor({ left: -10, top: -10 })
    setCursor(undefined)
  }

  const point = cursor && points[cursor.index]
  const told = point ?? points.at(-1)
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t(canDraw ? 'chart.keys' : 'chart.keysRead', { name: label })}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, points.length - 1)}
      aria-valuenow={cursor?.index ?? Math.max(0, points.length - 1)}
      aria-valuetext={
        told
          ? `${clock.moment(told.time * 1000)} ${lines.map(({ key, label: name }) => `${name} ${format(told.value[key] ?? 0)}`).join(', ')}`
          : t('chart.empty')
      }
      onKeyDown={press}
      onBlur={leave}
      onDoubleClick={onZoomOut}
      className="relative h-full rounded-[6px]"
    >
      <div ref={box} className="h-full" />
      {point && cursor && (
        <SeriesTip
          {...props}
          point={point}
          before={before?.[cursor.index]}
          start={cursor.from === undefined ? undefined : points[cursor.from]}
          left={cursor.left}
          width={box.current?.clientWidth ?? 0}
        />
      )}
    </div>
  )
}

const isMove = (type: string) => type === 'mousemove' || type === 'mouseleave'
const clearSelect = (chart: uPlot) => chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
