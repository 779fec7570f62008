/** The columns of the log, live and searched. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { Format } from '../app/format.ts'
import type { Say } from '../app/phrases.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { Badge, type Tone } from '../kit/Status.tsx'

const actionTones: Record<string, Tone> = {
  pass: 'mute',
  block: 'bad',
  challenge: 'warn',
  observe: 'warn',
  drop: 'bad',
}
const actions = ['pass', 'block', 'challenge', 'observe', 'drop'] as const

export function ActionBadge({ action, t }: { action: string; t: Say<'logs'> }) {
  const known = actions.find((one) => one === action)
  return <Badge tone={actionTones[action] ?? 'mute'}>{known ? t(`action.${known}`) : action}</Badge>
}

export function statusTone(status: number): string {
  if (status >= 500 || status === 444) return 'text-bad'
  if (status >= 400) return 'text-warn'
  return status >= 300 ? 'text-ink-2' : 'text-ok'
}

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
      sort: true,
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
      sort: true,
      end: true,
      render: ({ status }) => <span className={`font-medium ${statusTone(status)}`}>{status}</span>,
    },
    { key: 'method', title: t('method'), render: ({ method }) => <span className="mono">{method}</span> },
    {
      key: 'url',
      title: t('url'),
      render: ({ domainName, url }) => (
        <span className="mono block max-w-[360px] truncate" title={`${domainName}${url}`}>
          <span className="text-ink-3">{domainName}</span>
          {url}
        </span>
      ),
    },
    { key: 'ip', title: t('ip'), render: ({ clientIP }) => <span className="mono">{clientIP}</span> },
    { key: 'country', title: t('country'), render: ({ country }) => <span title={countryOf(country)}>{country}</span> },
    { key: 'cache', title: t('cache'), render: ({ cache }) => <span className="mono text-ink-2">{cache}</span> },
    { key: 'traffic', title: t('size'), end: true, sort: true, render: ({ traffic }) => format.bytes(traffic) },
    {
      key: 'requestTime',
      title: t('took'),
      end: true,
      sort: true,
      render: ({ requestTime }) => format.ms(requestTime),
    },
  ]
}
