/** What a chart over time is given. */
export type SeriesPoint = { time: number; value: Record<string, number> }
/** A colour is the name of a token, so that it follows the theme. */
export type Line = { key: string; label: string; color: string }

export type SeriesProps = {
  label: string
  points: readonly SeriesPoint[]
  lines: readonly Line[]
  format: (value: number) => string
  height?: number
  /** Epoch seconds that were drawn. */
  onRange?: (range: { from: number; to: number }) => void
}
