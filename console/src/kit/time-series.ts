/** What a chart over time is given, and how it is made fit to read. */
export type SeriesPoint = { time: number; value: Record<string, number> }
/** A colour is the name of a token, or a mix of tokens, so that it follows the theme. */
export type Line = { key: string; label: string; color: string; onOnly?: () => void; onExclude?: () => void }

export type SeriesProps = {
  label: string
  points: readonly SeriesPoint[]
  lines: readonly Line[]
  format: (value: number) => string
  /** The points of the range before, one for one. */
  before?: readonly SeriesPoint[] | undefined
  /** Epoch seconds that the numbers are of, and how long a step is: what a step has beyond them is missing. */
  covers?: { from: number; to: number; step: number }
  height?: number
  /** Epoch seconds that were drawn. */
  onRange?: (range: { from: number; to: number }) => void
  onZoomOut?: () => void
  /** What adding up means nothing for: rates. The summary then tells the mean. */
  isRate?: boolean
  /** Counts of a step each, drawn as bars that stand on each other. */
  isBars?: boolean
}

/** A colour of the page's theme as CSS wants it. */
export const cssColor = (color: string): string => (color.startsWith('--') ? `var(${color})` : color)

/** Whether a point's step lies wholly within what the numbers are of. */
export const isWhole = ({ time }: SeriesPoint, covers: SeriesProps['covers']): boolean =>
  covers === undefined || (time >= covers.from && time + covers.step <= covers.to)

/** Whether the numbers of a point's step are not complete yet: a line is not drawn to it, as its fall would be none. */
export const isFilling = ({ time }: SeriesPoint, covers: SeriesProps['covers']): boolean =>
  covers !== undefined && time + covers.step > covers.to

/** As many lines of the range before as can be told apart; the table has all of them. */
export const ghostsMax = 2

export const otherKey = 'other'

const sumOf = (points: readonly SeriesPoint[], key: string) =>
  points.reduce((sum, { value }) => sum + (value[key] ?? 0), 0)

/** At most `max` lines: the largest, in the order they came, and the rest together. Lines without a single number are left out of the rest. */
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
