/** One request, with everything that is known of it. Each value may be filtered for or out. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { FacetField } from '@breakwater/contract/logs/explorer.ts'
import type { ReactNode } from 'react'
import { useCountryName } from '../app/countries.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { CountryAttribution } from '../pickers/country.tsx'
import { FilterPair } from './FieldBar.tsx'
import { ActionBadge } from './log-columns.tsx'

export type OnFilter = (field: string, value: string, not: boolean) => void

export function RowFacts({ row, onFilter }: { row: AccessLogRow; onFilter?: OnFilter }) {
  const t = usePhrases('logs')
  const format = useFormat()
  const countryOf = useCountryName()
  // A field, its value as the filter wants it, and how it is shown.
  const filterable: [FacetField, string, ReactNode?][] = [
    ['action', row.action, <ActionBadge key="action" action={row.action} t={t} />],
    ['status', String(row.status)],
    ['guard', row.guard],
    ['rule', none(row.rule)],
    ['cause', none(row.cause)],
    ['host', row.domainName],
    ['hostPath', `${row.domainName}${row.url.split('?')[0]}`],
    ['ip', row.clientIP, <CopyText key="ip" text={row.clientIP} />],
    ['country', row.country, `${countryOf(row.country)} (${row.country})`],
    ['method', row.method],
    ['scheme', row.scheme],
    ['httpVersion', row.httpVersion],
    ['cache', row.cache],
    ['route', row.route],
    ['originStatus', none(row.originStatus)],
    ['userAgent', row.userAgent],
    ['referer', row.referer],
    ['contentType', row.contentType],
  ]
  const plain: [string, ReactNode][] = [
    [t('node'), row.node],
    [t('revision'), row.revision],
    [t('size'), format.bytes(row.traffic)],
    [t('received'), format.bytes(row.bytesReceived)],
    [t('took'), format.ms(row.requestTime)],
    [t('origin'), row.originAddress],
    [t('originTime'), row.originStatus ? format.ms(row.originTime) : ''],
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
        {filterable
          .filter(([, value]) => value !== '')
          .map(([field, value, shown]) => (
            <Fact key={field} name={t(field)}>
              <span className="flex items-start justify-between gap-2">
                <span className="min-w-0 break-all">{shown ?? value}</span>
                {onFilter && (
                  <FilterPair field={t(field)} name={value} onFilter={(not) => onFilter(field, value, not)} />
                )}
              </span>
            </Fact>
          ))}
        {plain
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <Fact key={label} name={label}>
              <span className="break-all">{value}</span>
            </Fact>
          ))}
      </Facts>
      <p className="mt-4">
        <CountryAttribution />
      </p>
    </>
  )
}

/** A number that is 0 where there was none. */
const none = (value: number) => (value > 0 ? String(value) : '')
