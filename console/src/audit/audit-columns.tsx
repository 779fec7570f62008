/** The columns of the audit log. */
import type { AuditEntry } from '@breakwater/contract/audit/audit.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { RowName } from '../kit/RowName.tsx'
import { Status, Tag } from '../kit/Status.tsx'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'
import { doneText, objectOf } from './describe-entry.ts'

/** Who did it: the account, or the person or program that acted for it. */
export function Actor({ entry, t }: { entry: AuditEntry; t: Say<'audit'> }) {
  const { accountName, proxyName, tokenName } = entry
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {proxyName ? t('by', { actor: proxyName, account: accountName }) : accountName}
      {tokenName && <Tag>{`${t('token')}: ${tokenName}`}</Tag>}
    </span>
  )
}

export function auditColumns(t: Say<'audit'>, format: Format, open: (id: number) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'createdAt',
      title: t('time'),
      render: ({ createdAt }) => <span className="num text-ink-2">{format.moment(createdAt)}</span>,
    },
    { key: 'who', title: t('who'), render: (entry) => <Actor entry={entry} t={t} /> },
    {
      key: 'what',
      title: t('what'),
      render: (entry) => (
        <RowName name={doneText(entry, t)} onOpen={() => open(entry.id)}>
          {objectOf(entry.detail, entry, t)}
        </RowName>
      ),
    },
    {
      key: 'result',
      title: t('result'),
      render: ({ status }) => (
        <Status tone={status < 400 ? 'ok' : 'bad'}>{t(status < 400 ? 'result.ok' : 'result.refused')}</Status>
      ),
    },
    { key: 'from', title: t('from'), render: ({ clientIP }) => <span className="mono text-ink-2">{clientIP}</span> },
    {
      key: 'method',
      title: t('method'),
      render: ({ method }) => <code className="mono text-ink-3">{method}</code>,
    },
  ]
}
