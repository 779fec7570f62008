/** A chart as small as a word: the shape of a series, with its numbers for screen readers. */
type Props = { values: readonly number[]; label: string }

const width = 72
const height = 18

export function Sparkline({ values, label }: Props) {
  const most = Math.max(1, ...values)
  const step = values.length > 1 ? width / (values.length - 1) : width
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`,
  )
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className="shrink-0"
    >
      <title>{label}</title>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--color-accent)"
        strokeWidth={1.25}
        strokeLinejoin="round"
      />
    </svg>
  )
}
