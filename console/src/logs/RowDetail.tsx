/** One request, with everything that is known of it. Each value may be filtered for or out. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { Ban, Filter as FilterIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { useMay } from '../app/session.ts'
import { buttonClass, IconButton } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Link } from '../kit/Link.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { CountryAttribution, useCountryName } from '../pickers/country.tsx'
import { ActionBadge } from './log-columns.tsx'

type OnFilter = (field: string, value: string, not: boolean) => void

export function RowDetail({ row, onClose, onFilter }: { row: AccessLogRow; onClose: () => void; onFilter: OnFilter }) {
  const t = usePhrases('logs')
  const places = usePlaces()
  const may = useMay()
  return (
    <Drawer
      title={`${row.method} ${row.url}`}
      onClose={onClose}
      footer={
        may('logs.explain') && (
          <Link
            to={places.explain}
            search={{ reference: row.reqID }}
            className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
          >
            {t('detail.explain')}
          </Link>
        )
      }
    >
      <RowFacts row={row} onFilter={onFilter} />
    </Drawer>
  )
}

export function RowFacts({ row, onFilter }: { row: AccessLogRow; onFilter?: OnFilter }) {
  const t = usePhrases('logs')
  const format = useFormat()
  const countryOf = useCountryName()
  const plain: [string, ReactNode][] = [
    [t('guard'), row.guard],
    [t('rule'), row.rule > 0 ? row.rule : ''],
    [t('cause'), row.cause > 0 ? row.cause : ''],
    [t('revision'), row.revision],
    [t('node'), row.node],
    [t('route'), row.route],
    [t('scheme'), `${row.scheme} ${row.httpVersion}`],
    [t('size'), format.bytes(row.traffic)],
    [t('received'), format.bytes(row.bytesReceived)],
    [t('took'), format.ms(row.requestTime)],
    [t('origin'), row.originAddress],
    [t('originStatus'), row.originStatus || ''],
    [t('originTime'), row.originStatus ? format.ms(row.originTime) : ''],
    [t('userAgent'), row.userAgent],
    [t('referer'), row.referer],
    [t('contentType'), row.contentType],
    [t('weight'), row.weight > 1 ? row.weight : ''],
  ]
  const filterable: [string, string, string, ReactNode][] = [
    ['action', t('action'), row.action, <ActionBadge key="action" action={row.action} t={t} />],
    ['status', t('status'), String(row.status), row.status],
    ['host', t('host'), row.domainName, row.domainName],
    [
      'ip',
      t('ip'),
      row.clientIP,
      <code key="ip" className="mono">
        {row.clientIP}
      </code>,
    ],
    ['country', t('country'), row.country, `${countryOf(row.country)} (${row.country})`],
    ['method', t('method'), row.method, row.method],
    ['cache', t('cache'), row.cache, row.cache],
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
          .filter(([, , value]) => value !== '')
          .map(([field, label, value, shown]) => (
            <Fact key={field} name={label}>
              <span className="flex items-center gap-1">
                {shown}
                {onFilter && <FilterButtons label={label} onFilter={(not) => onFilter(field, value, not)} />}
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

function FilterButtons({ label, onFilter }: { label: string; onFilter: (not: boolean) => void }) {
  const t = usePhrases('kit')
  return (
    <>
      <IconButton size="iconSm" label={`${t('filter.only')}: ${label}`} onClick={() => onFilter(false)}>
        <FilterIcon size={13} aria-hidden />
      </IconButton>
      <IconButton size="iconSm" label={`${t('filter.exclude')}: ${label}`} onClick={() => onFilter(true)}>
        <Ban size={13} aria-hidden />
      </IconButton>
    </>
  )
}
