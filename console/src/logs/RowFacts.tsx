/** One request with all its details. Each value may be filtered for or excluded. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { FacetField } from '@breakwater/contract/logs/explorer.ts'
import type { ReactNode } from 'react'
import { CopyText } from '../kit/CopyText.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { CountryAttribution } from '../pickers/country.tsx'
import { logWord } from '../pickers/log-words.ts'
import { useCountryName } from '../platform/countries.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { FilterPair } from './FieldBar.tsx'
import { ActionBadge, networkText } from './log-columns.tsx'
import { rowValues } from './row-values.ts'
import { WafMatches } from './WafMatches.tsx'

export type OnFilter = (field: string, value: string, not: boolean) => void

export function RowFacts({ row, onFilter }: { row: AccessLogRow; onFilter?: OnFilter }) {
  const t = usePhrases('logs')
  const format = useFormat()
  const countryOf = useCountryName()
  /** Fields whose display differs from their filter value. */
  const shownAs: Partial<Record<FacetField, ReactNode>> = {
    action: <ActionBadge action={row.action} t={t} />,
    ip: <CopyText text={row.clientIP} />,
    asn: networkText(row.asn, row.network),
    country: `${countryOf(row.country)} (${row.country})`,
  }
  const plain: [string, ReactNode][] = [
    [t('node'), row.node],
    [t('revision'), row.revision],
    [t('size'), format.bytes(row.traffic)],
    [t('received'), format.bytes(row.bytesReceived)],
    [t('took'), format.ms(row.requestTime)],
    [t('origin'), row.originAddress],
    [t('originTime'), row.originStatus ? format.ms(row.originTime) : ''],
    [t('wafScore'), row.waf === '' ? '' : row.wafScore],
    [t('waf'), row.waf === '' ? '' : <WafMatches key="waf" siteId={row.siteID} text={row.waf} />],
    [t('weight'), row.weight > 1 ? row.weight : ''],
  ]
  return (
    <>
      <Facts>
        <Fact name={t('time')}>{format.moment(row.time)}</Fact>
        <Fact name={t('reqID')}>
          <CopyText text={row.reqID} />
        </Fact>
        <Fact name={t('url')}>
          <code className="mono break-all">{row.url}</code>
        </Fact>
        {rowValues(row)
          .filter(([, value]) => value !== '')
          .map(([field, value]) => (
            <Fact key={field} name={t(field)}>
              <span className="flex items-start justify-between gap-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">{shownAs[field] ?? logWord(field, value, t)}</span>
                {onFilter && (
                  <FilterPair
                    field={t(field)}
                    name={logWord(field, value, t)}
                    onFilter={(not) => onFilter(field, value, not)}
                  />
                )}
              </span>
            </Fact>
          ))}
        {plain
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <Fact key={label} name={label}>
              <span className="[overflow-wrap:anywhere]">{value}</span>
            </Fact>
          ))}
      </Facts>
      <p className="mt-4">
        <CountryAttribution />
      </p>
    </>
  )
}
