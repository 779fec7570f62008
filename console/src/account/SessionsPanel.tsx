/** The person's sessions: device, address, last seen. Ends one of them, or all others. */
import { sessionCalls } from '@breakwater/contract/auth/sessions.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { useState } from 'react'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Badge } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { deviceOf } from './device.ts'

type Session = Reply<typeof sessionCalls.list>['data'][number]

export function SessionsPanel() {
  const t = usePhrases('account')
  const tKit = usePhrases('kit')
  const format = useFormat()
  const [state, setState] = useState({ page: 1, pageSize: 10 })
  const call = useCall(sessionCalls.list, { query: state })
  const end = useChange(sessionCalls.end, sessionCalls.list)
  const endOthers = useChange(sessionCalls.endOthers, sessionCalls.list)
  const name = ({ userAgent }: Session) => deviceOf(userAgent) || t('sessions.unknown')
  const columns: Column<Session>[] = [
    {
      key: 'device',
      title: t('sessions.device'),
      render: (one) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span title={one.userAgent}>{name(one)}</span>
          {one.current && <Badge tone="ok">{t('sessions.current')}</Badge>}
          {one.proxiedBy && <Badge tone="warn">{t('sessions.acting', { name: one.proxiedBy })}</Badge>}
        </span>
      ),
    },
    { key: 'address', title: t('sessions.address'), render: ({ address }) => <span className="mono">{address}</span> },
    {
      key: 'seen',
      title: t('sessions.seen'),
      render: ({ lastSeenAt }) => <span title={format.moment(lastSeenAt)}>{format.ago(lastSeenAt)}</span>,
    },
    { key: 'began', title: t('sessions.began'), render: ({ createdAt }) => format.moment(createdAt) },
    {
      key: 'end',
      title: tKit('actions'),
      end: true,
      render: (one) =>
        one.current ? null : (
          <ConfirmButton
            size="sm"
            label={t('sessions.end')}
            title={t('sessions.endTitle')}
            consequence={t('sessions.endText', { device: name(one), address: one.address })}
            confirmLabel={t('sessions.end')}
            onConfirm={async () => {
              await end.mutateAsync({ body: { ids: [one.id] } })
              toasts.done(t('sessions.ended'))
            }}
          />
        ),
    },
  ]
  return (
    <div className="min-w-0">
      <div className="mt-3 mb-2 flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-sm">{t('sessions.title')}</h2>
        {(call.data?.total ?? 0) > 1 && (
          <ConfirmButton
            label={t('sessions.endOthers')}
            title={t('sessions.endOthersTitle')}
            consequence={t('sessions.endOthersText')}
            confirmLabel={t('sessions.endOthers')}
            onConfirm={async () => {
              await endOthers.mutateAsync({})
              toasts.done(t('sessions.ended'))
            }}
          />
        )}
      </div>
      <ResourceTable
        label={t('sessions.title')}
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={name}
        state={{ ...state, orderBy: 'desc', sortBy: undefined } as never}
        go={(patch) => setState({ page: patch.page ?? 1, pageSize: patch.pageSize ?? state.pageSize })}
        empty={null}
      />
    </div>
  )
}
