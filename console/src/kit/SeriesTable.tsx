/** The numbers of a chart as a table, for those who find it easier to read than lines. */
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ScrollRegion } from './ScrollRegion.tsx'
import { isWhole, type SeriesProps } from './time-series.ts'

export function SeriesTable({ label, points, before, lines, format, covers }: SeriesProps) {
  const t = usePhrases('kit')
  const clock = useFormat()
  const head = 'py-1 pl-3 text-right font-medium whitespace-nowrap'
  return (
    <ScrollRegion label={label} className="h-full">
      <table className="num w-full text-left">
        <thead className="sticky top-0 bg-surface text-ink-3 text-xs">
          <tr>
            <th scope="col" className="py-1 font-medium">
              {t('chart.time')}
            </th>
            {lines.map(({ key, label: name }) => (
              <th key={key} scope="col" className={head}>
                {name}
              </th>
            ))}
            {before &&
              lines.map(({ key, label: name }) => (
                <th key={key} scope="col" className={head}>
                  {t('chart.beforeOf', { name })}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point, i) => (
            <tr key={point.time} className="border-line border-t">
              <td className="py-0.5 whitespace-nowrap">
                {clock.moment(point.time * 1000)}
                {!isWhole(point, covers) && <span className="ml-1.5 text-ink-3">{t('chart.partial')}</span>}
              </td>
              {lines.map(({ key }) => (
                <td key={key} className="pl-3 text-right whitespace-nowrap">
                  {format(point.value[key] ?? 0)}
                </td>
              ))}
              {before &&
                lines.map(({ key }) => (
                  <td key={key} className="pl-3 text-right text-ink-3 whitespace-nowrap">
                    {format(before[i]?.value[key] ?? 0)}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
