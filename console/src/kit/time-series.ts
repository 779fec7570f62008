/** The data of a time series chart, and how it is made readable. */
export type SeriesPoint = { time: number; value: Record<string, number> }
/** A colour is the name of a token, or a mix of tokens, so that it follows the theme. */
export type Line = { key: string; label: string; color: string; onOnly?: () => void; onExclude?: () => void }

export type SeriesProps = {
  label: string
  points: readonly SeriesPoint[]
  lines: readonly Line[]
  format: (value: number) => string
  /** The points of the previous range, one for one. */
  before?: readonly SeriesPoint[] | undefined
  /**
   * The period covered by the data, in epoch seconds, and the length of a step: the part of a step outside of it is
   * missing.
   */
  covers?: { from: number; to: number; step: number }
  height?: number
  /** The selected range, in epoch seconds. */
  onRange?: (range: { from: number; to: number }) => void
  onZoomOut?: () => void
  /** For rates, whose sum is meaningless. The summary then states the mean. */
  isRate?: boolean
  /** Counts per step, drawn as stacked bars. */
  isBars?: boolean
}

/** Returns a theme colour in CSS syntax. */
export const cssColor = (color: string): string => (color.startsWith('--') ? `var(${color})` : color)

/** Whether a point's step lies entirely within the covered period. */
export const isWhole = ({ time }: SeriesPoint, covers: SeriesProps['covers']): boolean =>
  covers === undefined || (time >= covers.from && time + covers.step <= covers.to)

/** Whether a point's step is still incomplete: no line is drawn to it, as the drop would be misleading. */
export const isFilling = ({ time }: SeriesPoint, covers: SeriesProps['covers']): boolean =>
  covers !== undefined && time + covers.step > covers.to

/** The most lines of the previous range that can be told apart; the table has all of them. */
export const ghostsMax = 2

export const otherKey = 'other'

const sumOf = (points: readonly SeriesPoint[], key: string) =>
  points.reduce((sum, { value }) => sum + (value[key] ?? 0), 0)

/**
 * Returns at most `max` lines: the largest in their original order, and one for all others. Lines without any data are
 * left out.
 */
export function foldLines(
  { points, lines, before }: Pick<SeriesProps, 'points' | 'lines' | 'before'>,
  other: string,
  max = 5,
): Pick<SeriesProps, 'points' | 'lines' | 'before'> {
  if (lines.length <= max) return { points, lines, before }
  const sums = new Map(lines.map(({ key }) => [key, sumOf(points, key)]))
  const some = lines.filter(({ key }) => sums.get(key)! > 0)
  if (some.length <= max) return { points, lines: some.length > 0 ? some : lines.slice(0, max), before }
  const largest = [...some].sort((a, b) => sums.get(b.key)! - sums.get(a.key)!).slice(0, max)
  const rest = some.filter((line) => !largest.includes(line))
  const fold = ({ time, value }: SeriesPoint): SeriesPoint => ({
    time,
    value: { ...value, [otherKey]: rest.reduce((sum, { key }) => sum + (value[key] ?? 0), 0) },
  })
  return {
    points: points.map(fold),
    lines: [...some.filter((line) => largest.includes(line)), { key: otherKey, label: other, color: '--line-strong' }],
    before: before?.map(fold),
  }
}
