/** The drawing of a time series. Loaded when the first chart is shown. */
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useFormat } from '../app/format.ts'
import { useIsDark } from '../app/theme.ts'
import type { SeriesProps } from './time-series.ts'

type Hover = { index: number; left: number }

const tooltipWidth = 210

export function TimeSeriesPlot({ points, lines, format, height = 220, onRange }: SeriesProps) {
  const box = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  const clock = useFormat()
  const [hover, setHover] = useState<Hover>()
  const tell = useRef(onRange)
  tell.current = onRange

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read from the theme that is on
  useEffect(() => {
    const element = box.current!
    const style = getComputedStyle(element)
    const color = (token: string) => style.getPropertyValue(token).trim()
    const axis = {
      stroke: color('--text-3'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: '11px "Inter Variable", sans-serif',
    }
    const isLong = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0) > 2 * 86_400
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        padding: [8, 8, 0, 0],
        cursor: { y: false, drag: { x: tell.current !== undefined, y: false, setScale: false }, sync: { key: 'page' } },
        axes: [
          {
            ...axis,
            size: 26,
            space: 70,
            values: (_, splits) => splits.map((time) => (isLong ? clock.day(time * 1000) : clock.clock(time * 1000))),
          },
          { ...axis, size: 66, space: 40, values: (_, splits) => splits.map((value) => format(value)) },
        ],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 4] } },
        series: [
          {},
          ...lines.map(({ label, color: token }) => ({
            label,
            stroke: color(token),
            width: 1.6,
            fill: `color-mix(in srgb, ${color(token)} 13%, transparent)`,
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [
            ({ cursor }) =>
              setHover(
                cursor.idx === null || cursor.idx === undefined || (cursor.left ?? -1) < 0
                  ? undefined
                  : { index: cursor.idx, left: cursor.left ?? 0 },
              ),
          ],
          setSelect: [
            (chart) => {
              if (chart.select.width < 6) return
              const from = Math.floor(chart.posToVal(chart.select.left, 'x'))
              const to = Math.ceil(chart.posToVal(chart.select.left + chart.select.width, 'x'))
              chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              tell.current?.({ from, to })
            },
          ],
        },
      },
      [points.map(({ time }) => time), ...lines.map(({ key }) => points.map(({ value }) => value[key] ?? 0))],
      element,
    )
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      plot.destroy()
    }
  }, [points, lines, format, height, isDark, clock])

  const point = hover && points[hover.index]
  const width = box.current?.clientWidth ?? 0
  return (
    <div ref={box} aria-hidden className="relative h-full">
      {point && hover && (
        <div
          className="num pointer-events-none absolute top-2 z-1 rounded-[8px] border border-line bg-raised px-3 py-2 text-xs shadow-pop"
          style={{
            width: tooltipWidth,
            left: hover.left + 80 + tooltipWidth > width ? hover.left + 66 - tooltipWidth - 12 : hover.left + 78,
          }}
        >
          <p className="mb-0.5 text-ink-3">{clock.moment(point.time * 1000)}</p>
          {[...lines]
            .sort((a, b) => (point.value[b.key] ?? 0) - (point.value[a.key] ?? 0))
            .map(({ key, label, color }) => (
              <p key={key} className="flex items-center justify-between gap-3">
                <span className="inline-flex items-center gap-1.5">
                  <span className="h-[3px] w-2.5 rounded-full" style={{ background: `var(${color})` }} />
                  {label}
                </span>
                <span>{format(point.value[key] ?? 0)}</span>
              </p>
            ))}
        </div>
      )}
    </div>
  )
}
