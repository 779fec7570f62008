/** The columns of the log, live and searched. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { Badge, type Tone } from '../kit/Status.tsx'
import { logWord } from '../pickers/log-words.ts'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'

const actionTones: Record<string, Tone> = {
  pass: 'mute',
  block: 'bad',
  challenge: 'warn',
  observe: 'warn',
  drop: 'bad',
}

export function ActionBadge({ action, t }: { action: string; t: Say<'logs'> }) {
  return <Badge tone={actionTones[action] ?? 'mute'}>{logWord('action', action, t)}</Badge>
}

export function statusTone(status: number): string {
  if (status >= 500 || status === 444) return 'text-bad'
  if (status >= 400) return 'text-warn'
  return status >= 300 ? 'text-ink-2' : 'text-ok'
}

/** The default columns: for a wide window, for one that the field bar narrows, and for a phone. */
export const usualColumns = ['time', 'action', 'status', 'method', 'url', 'ip', 'country', 'cache', 'requestTime']
export const middleColumns = ['time', 'action', 'status', 'method', 'url', 'ip', 'requestTime']
export const narrowColumns = ['time', 'status', 'url']

const text = (value: string) => (
  <span className="mono block max-w-[260px] truncate" title={value}>
    {value}
  </span>
)

/** A network's number, and its name in the address data. */
export const networkText = (asn: number, network: string) => `AS${asn} ${network}`.trimEnd()

export function logColumns(
  t: Say<'logs'>,
  format: Format,
  countryOf: (code: string) => string,
  onOpen: (row: AccessLogRow) => void,
): Column<AccessLogRow>[] {
  return [
    {
      key: 'time',
      title: t('time'),
      render: (row) => (
        <button
          type="button"
          className="num underline-offset-4 hover:text-accent hover:underline"
          title={format.moment(row.time)}
          onClick={() => onOpen(row)}
        >
          {format.clockSeconds(row.time)}
        </button>
      ),
    },
    { key: 'action', title: t('action'), render: ({ action }) => <ActionBadge action={action} t={t} /> },
    {
      key: 'status',
      title: t('status'),
      end: true,
      render: ({ status }) => <span className={`font-medium ${statusTone(status)}`}>{status}</span>,
    },
    { key: 'method', title: t('method'), render: ({ method }) => <span className="mono">{method}</span> },
    {
      key: 'url',
      title: t('url'),
      grows: true,
      render: ({ domainName, url }) => (
        // If the width does not suffice for both, the host is truncated first: the path matters more.
        <span
          className="mono flex max-sm:max-w-[46vw] sm:min-w-[24ch] sm:[contain:inline-size]"
          title={`${domainName}${url}`}
        >
          <span className="min-w-0 truncate text-ink-3 max-sm:hidden">{domainName}</span>
          <span className="max-w-full shrink-0 truncate sm:max-w-[calc(100%-8ch)]">{url}</span>
        </span>
      ),
    },
    { key: 'ip', title: t('ip'), render: ({ clientIP }) => <span className="mono">{clientIP}</span> },
    {
      key: 'country',
      title: t('country'),
      // Addresses without a country, such as those of private networks, have a code too.
      render: ({ country }) => <span title={countryOf(country)}>{country === 'ZZ' ? '–' : country}</span>,
    },
    {
      key: 'asn',
      title: t('asn'),
      render: ({ asn, network }) => (asn > 0 ? text(networkText(asn, network)) : ''),
    },
    { key: 'bot', title: t('bot'), render: ({ bot }) => bot },
    {
      key: 'cache',
      title: t('cache'),
      render: ({ cache }) => <span className="text-ink-2">{logWord('cache', cache, t)}</span>,
    },
    { key: 'traffic', title: t('size'), end: true, render: ({ traffic }) => format.bytes(traffic) },
    {
      key: 'requestTime',
      title: t('took'),
      end: true,
      render: ({ requestTime }) => format.ms(requestTime),
    },
    { key: 'rule', title: t('rule'), end: true, render: ({ rule }) => (rule > 0 ? rule : '') },
    { key: 'guard', title: t('guard'), render: ({ guard }) => logWord('guard', guard, t) },
    { key: 'cause', title: t('cause'), render: ({ cause }) => (cause > 0 ? logWord('cause', String(cause), t) : '') },
    { key: 'route', title: t('route'), render: ({ route }) => logWord('route', route, t) },
    { key: 'host', title: t('host'), render: ({ domainName }) => text(domainName) },
    { key: 'userAgent', title: t('userAgent'), render: ({ userAgent }) => text(userAgent) },
    { key: 'referer', title: t('referer'), render: ({ referer }) => text(referer) },
    { key: 'contentType', title: t('contentType'), render: ({ contentType }) => text(contentType) },
    { key: 'scheme', title: t('scheme'), render: ({ scheme, httpVersion }) => `${scheme} ${httpVersion}` },
    { key: 'originStatus', title: t('originStatus'), end: true, render: (row) => row.originStatus || '' },
    {
      key: 'originFailure',
      title: t('originFailure'),
      render: ({ originFailure }) => logWord('originFailure', originFailure, t),
    },
    {
      key: 'originTime',
      title: t('originTime'),
      end: true,
      render: ({ originStatus, originTime }) => (originStatus ? format.ms(originTime) : ''),
    },
    { key: 'node', title: t('node'), render: ({ node }) => node },
    { key: 'reqID', title: t('reqID'), render: ({ reqID }) => text(reqID) },
  ]
}
