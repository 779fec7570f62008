/** The columns that online and offline licences share. */
import type { License } from '@breakwater/contract/licenses/licenses.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Status, Tag, type Tone } from '../kit/Status.tsx'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'

export const toneOf: Record<License['status'], Tone> = { draft: 'mute', issued: 'ok', expired: 'warn', revoked: 'bad' }

/** `3 nodes · 10 sites`, limited quantities only. */
export function limitsText({ limits }: Pick<License, 'limits'>, t: Say<'licenses'>, format: Format): string {
  const { trafficBytes, ...counts } = limits
  const parts = Object.entries(counts).flatMap(([name, limit]) =>
    limit === null ? [] : [`${t(`limit.${name as keyof typeof counts}`)} ${format.number(limit)}`],
  )
  if (trafficBytes !== null) parts.push(`${t('limit.traffic')} ${format.bytes(trafficBytes)}`)
  return parts.length > 0 ? parts.join(' · ') : t('unlimited')
}

/** `Gold · northwind`, the name in a bulk confirmation. */
export const nameWithHolder = ({ name, userName }: Pick<License, 'name' | 'userName'>) =>
  userName ? `${name} · ${userName}` : name

export function licenseColumns<Row extends License>(
  t: Say<'licenses'>,
  format: Format,
  onOpen: (row: Row) => void,
): Column<Row>[] {
  return [
    {
      key: 'name',
      title: t('name'),
      render: (row) => (
        <RowName name={row.name} onOpen={() => onOpen(row)}>
          <span className="block max-w-[min(240px,14vw)] truncate max-sm:max-w-full max-sm:whitespace-normal">
            {limitsText(row, t, format)}
          </span>
        </RowName>
      ),
    },
    {
      key: 'holder',
      title: t('holder'),
      render: ({ userID, userName }) =>
        userID === null ? <span className="text-ink-3">{t('holder.gone')}</span> : userName,
    },
    { key: 'type', title: t('type'), render: ({ type }) => <Tag>{t(`type.${type}`)}</Tag> },
    {
      key: 'status',
      title: t('status'),
      render: ({ status }) => <Status tone={toneOf[status]}>{t(`status.${status}`)}</Status>,
    },
    {
      key: 'issued',
      title: t('issued'),
      render: ({ issuedAt }) => <span className="text-ink-3">{issuedAt ? format.ago(issuedAt) : '–'}</span>,
    },
    {
      key: 'expires',
      title: t('expires'),
      render: ({ expiredAt }) => (
        <span className="num" title={format.moment(expiredAt)}>
          {format.day(expiredAt)}
        </span>
      ),
    },
  ]
}
