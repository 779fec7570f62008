/** The revisions of a site: compare two, or restore one after reviewing its changes. */
import { history, type Revision } from '@breakwater/contract/sites/history.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { Badge } from '../../kit/Status.tsx'
import { actionText } from '../../pickers/action-text.ts'
import { revisionWords } from '../../pickers/rules/SavedChange.tsx'
import { useRuleSay } from '../../pickers/rules/use-rule-words.ts'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { useListState } from '../../platform/list-state.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useRuleKinds } from '../../platform/rule-kinds.ts'
import { ListSearch } from '../../platform/search-state.ts'
import { useMay } from '../../platform/session.ts'
import { CompareDrawer } from './CompareDrawer.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'

/** The open comparison is in the URL, so that it can be sent to people who ask what changed. */
const Search = ListSearch.extend({
  compare: z
    .string()
    .regex(/^\d{1,9}-\d{1,9}$/)
    .optional()
    .catch(undefined),
})

function pairOf(text: string | undefined): { from: number; to: number } | undefined {
  const [from, to] = text?.split('-').map(Number) ?? []
  return from && to ? { from, to } : undefined
}

export function HistoryScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('sites')
  const tAudit = usePhrases('audit')
  const kinds = useRuleKinds()
  const say = useRuleSay()
  const format = useFormat()
  const mayRestore = useMay()('history.restore')
  const [state, go] = useListState('history', Search)
  const compared = pairOf(state.compare)
  const setCompared = (pair: { from: number; to: number } | undefined) =>
    go({ compare: pair ? `${pair.from}-${pair.to}` : undefined })
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
      render: (row) => {
        const { revision, action, summary, changes } = row
        // A restore only names its target revision; its changes are in the comparison.
        const words = action === 'site.history.restore' ? '' : revisionWords(row, kinds, say)
        return (
          <button
            type="button"
            disabled={revision < 2}
            onClick={() => setCompared({ from: revision - 1, to: revision })}
            className="block max-w-[560px] py-1 text-left underline-offset-4 enabled:hover:text-accent enabled:hover:underline sm:whitespace-normal"
          >
            {words || actionText(action, tAudit)} {!words && <span className="text-ink-2">{summary}</span>}
            {/* Removing what was already gone creates a revision, too. */}
            {changes?.total === 0 && <span className="text-ink-3"> {t('history.nothing')}</span>}
          </button>
        )
      },
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
        onOpen={({ revision }) => revision > 1 && setCompared({ from: revision - 1, to: revision })}
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
