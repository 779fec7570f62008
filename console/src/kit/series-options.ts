/** The options of a chart: axes, lines, and hatching for incomplete steps. Free of React. */
import uPlot from 'uplot'
import type { Format } from '../platform/format.ts'
import { cssColor, ghostsMax, isFilling, isWhole, type SeriesProps } from './time-series.ts'

export type Drawing = Pick<SeriesProps, 'points' | 'lines' | 'before' | 'covers' | 'format' | 'isBars'> & {
  element: HTMLElement
  clock: Format
  zone: string | undefined
  width: number
  height: number
}

/** A canvas takes no CSS variables: resolves a colour in the element's theme. */
function colorsOf(element: HTMLElement): (color: string) => string {
  const probe = element.appendChild(document.createElement('i'))
  const seen = new Map<string, string>()
  return (color) => {
    const known = seen.get(color)
    if (known) return known
    probe.style.color = cssColor(color)
    const value = getComputedStyle(probe).color
    seen.set(color, value)
    return value
  }
}

export function seriesOptions(drawing: Drawing): {
  options: uPlot.Options
  data: uPlot.AlignedData
} {
  const { points, before, covers, format, element, clock, zone, width, height, isBars } = drawing
  // Bars cover what is behind them: the full stack is drawn first, the lowest part last.
  const lines = isBars ? [...drawing.lines].reverse() : drawing.lines
  const color = colorsOf(element)
  const axis = {
    stroke: color('--text-3'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '11px "Inter Variable", sans-serif',
  }
  const seconds = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0)
  const isLong = seconds > 2 * 86_400
  /** On ranges below ten minutes, labels are less than a minute apart. */
  const clockOf = (time: number) => (seconds < 600 ? clock.clockSeconds(time * 1000) : clock.clock(time * 1000))
  /** A day is named at its first tick; further ticks show the time. */
  const dayOnce = (time: number, last: number | undefined) => {
    const day = clock.day(time * 1000)
    return last !== undefined && clock.day(last * 1000) === day ? clock.clock(time * 1000) : day
  }
  const isEmpty = points.every(({ value }) => lines.every(({ key }) => !value[key]))
  const ghosts = before && lines.length <= ghostsMax ? lines : []
  const dotted = !isBars && points.some((point) => isFilling(point, covers)) ? lines : []
  const options: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    // On the right, half the width of a label, which may be at the very end.
    padding: [8, 28, 0, 0],
    ...(zone ? { tzDate: (time: number) => uPlot.tzDate(new Date(time * 1000), zone) } : {}),
    axes: [
      {
        ...axis,
        size: 26,
        space: 70,
        values: (_, splits) => splits.map((time, i) => (isLong ? dayOnce(time, splits[i - 1]) : clockOf(time))),
      },
      { ...axis, size: 72, space: 40, values: (_, splits) => splits.map((value) => format(value)) },
    ],
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 4] } },
    series: [
      {},
      ...ghosts.map(({ label }) => ({ label, stroke: color('--line-strong'), width: 1, dash: [4, 3], ...noPoints })),
      ...lines.map(({ label, color: token }) => ({
        label,
        stroke: color(token),
        width: isBars ? 0 : 1.6,
        fill: isBars ? color(token) : `color-mix(in srgb, ${color(token)} 13%, transparent)`,
        ...(isBars ? { paths: uPlot.paths.bars!({ size: [0.86, 40], align: 1 }) } : {}),
        ...noPoints,
      })),
      ...dotted.map(({ label, color: token }) => ({
        label,
        stroke: color(token),
        width: 0,
        points: { show: true, size: 6, width: 1.6, stroke: color(token), fill: color('--surface') },
      })),
    ],
    // Without any data, there is no dip to explain.
    hooks: { draw: isEmpty ? [] : [(plot) => hatch(plot, points, covers, color('--text-3'))] },
  }
  const column = (of: SeriesProps['points'], key: string) => points.map((_, i) => of[i] && (of[i].value[key] ?? 0))
  /** A line ends at the last complete step; the data so far of the following one is drawn as a dot. */
  const line = (key: string) => points.map((point) => (isFilling(point, covers) ? null : (point.value[key] ?? 0)))
  const dot = (key: string) => points.map((point) => (isFilling(point, covers) ? (point.value[key] ?? 0) : null))
  const data: uPlot.AlignedData = [
    points.map(({ time }) => time),
    ...ghosts.map(({ key }) => column(before!, key)),
    ...lines.map(({ key }, at) => (isBars ? stacked(points, lines.slice(at)) : line(key))),
    ...dotted.map(({ key }) => dot(key)),
  ]
  return { options, data }
}

const stacked = (points: SeriesProps['points'], lines: SeriesProps['lines']) =>
  points.map(({ value }) => lines.reduce((sum, { key }) => sum + (value[key] ?? 0), 0))

const noPoints = { points: { show: false } }

/** Hatches the steps with incomplete data, so that their dip is not mistaken for a real one. */
function hatch(plot: uPlot, points: SeriesProps['points'], covers: SeriesProps['covers'], stroke: string): void {
  if (!covers || points.length < 2) return
  const { ctx, bbox } = plot
  const right = (i: number) => (points[i + 1] ? plot.valToPos(points[i + 1]!.time, 'x', true) : bbox.left + bbox.width)
  const left = (i: number) => plot.valToPos(points[i - 1]?.time ?? points[i]!.time, 'x', true)
  // Adjacent steps are hatched together: a month in five-minute steps has thousands of them.
  for (let i = 0; i < points.length; i++) {
    if (isWhole(points[i]!, covers)) continue
    const first = i
    while (i + 1 < points.length && !isWhole(points[i + 1]!, covers)) i++
    const [from, to] = [first === 0 ? bbox.left : left(first), right(i)]
    ctx.save()
    ctx.beginPath()
    ctx.rect(from, bbox.top, Math.max(2, to - from), bbox.height)
    ctx.clip()
    ctx.globalAlpha = 0.28
    ctx.strokeStyle = stroke
    ctx.lineWidth = devicePixelRatio
    ctx.beginPath()
    for (let x = from - bbox.height; x < to; x += 6 * devicePixelRatio) {
      ctx.moveTo(x, bbox.top + bbox.height)
      ctx.lineTo(x + bbox.height, bbox.top)
    }
    ctx.stroke()
    ctx.restore()
  }
}
