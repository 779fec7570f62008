/** A site's revisions: two compared, one restored after its changes were looked at. */
import { history, type Revision } from '@breakwater/contract/sites/history.ts'
import { useState } from 'react'
import { useCall } from '../../app/calls.ts'
import { useFormat } from '../../app/format.ts'
import { useListState } from '../../app/list-state.ts'
import { usePhrases } from '../../app/phrases.ts'
import { ListSearch } from '../../app/search-state.ts'
import { useMay } from '../../app/session.ts'
import { Button } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { Badge } from '../../kit/Status.tsx'
import { actionText } from '../../pickers/action-text.ts'
import { CompareDrawer } from './CompareDrawer.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'

export function HistoryScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const tAudit = usePhrases('audit')
  const format = useFormat()
  const mayRestore = useMay()('history.restore')
  const [state, go] = useListState('history', ListSearch)
  const [compared, setCompared] = useState<{ from: number; to: number }>()
  const [restored, setRestored] = useState<number>()
  const { page, pageSize } = state
  const revisions = useCall(history.list, { siteId, query: { page, pageSize } })
  const newest = useCall(history.list, { siteId, query: { page: 1, pageSize: 25 } }).data?.data[0]?.revision
  const columns: Column<Revision>[] = [
    {
      key: 'revision',
      title: t('revision'),
      render: ({ revision, kept }) => (
        <span className="num inline-flex items-center gap-2 font-medium">
          {revision}
          {revision === newest && <Badge tone="ok">{t('history.current')}</Badge>}
          {!kept && <Badge tone="mute">{t('history.gone')}</Badge>}
        </span>
      ),
    },
    {
      key: 'what',
      title: t('history.what'),
      render: ({ action, summary }) => (
        <span className="block max-w-[480px] truncate py-1">
          {actionText(action, tAudit)} <span className="text-ink-2">{summary}</span>
        </span>
      ),
    },
    { key: 'who', title: t('history.who'), render: ({ actor }) => actor },
    {
      key: 'when',
      title: t('history.when'),
      render: ({ createdAt }) => <span className="num text-ink-2">{format.moment(createdAt)}</span>,
    },
    {
      key: 'restore',
      title: t('history.restore'),
      end: true,
      render: ({ revision, kept }) =>
        mayRestore && kept && revision !== newest && newest !== undefined ? (
          <Button size="sm" aria-label={`${t('history.restore')} ${revision}`} onClick={() => setRestored(revision)}>
            {t('history.restore')}
          </Button>
        ) : null,
    },
  ]
  return (
    <>
      <PageHead title={t('history.title')} help={t('history.help')} />
      <ResourceTable
        label={t('history.title')}
        list="history"
        call={revisions}
        columns={columns}
        rowKey={({ revision }) => revision}
        rowLabel={({ revision }) => String(revision)}
        state={state}
        go={go}
        bulk={(chosen) => {
          const numbers = chosen.map(({ revision }) => revision)
          const canCompare = chosen.length === 2 && chosen.every(({ kept }) => kept)
          return (
            <>
              <Button
                size="sm"
                disabled={!canCompare}
                onClick={() => setCompared({ from: Math.min(...numbers), to: Math.max(...numbers) })}
              >
                {t('history.compare')}
              </Button>
              {!canCompare && <span className="text-ink-2 text-xs">{t('history.compareTwo')}</span>}
            </>
          )
        }}
        empty={<Empty title={t('history.empty')} />}
      />
      {compared && <CompareDrawer siteId={siteId} {...compared} onClose={() => setCompared(undefined)} />}
      {restored !== undefined && newest !== undefined && (
        <RestoreDialog siteId={siteId} newest={newest} revision={restored} onClose={() => setRestored(undefined)} />
      )}
    </>
  )
}
