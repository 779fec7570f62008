/** The configuration of a zone: how far its nodes have applied it, why one refused it, and previous revisions. */

import type { Reply } from '@breakwater/contract/endpoint.ts'
import { SavedObserved } from '@breakwater/contract/nodes/observed-rules.ts'
import { type ConfigurationStatus, zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { Empty } from '../kit/Empty.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Status, type Tone } from '../kit/Status.tsx'
import { actionText } from '../pickers/action-text.ts'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'

const everyMs = 2_000
type Node = ConfigurationStatus['nodes'][number]
type Entry = Reply<typeof zoneConfiguration.history>['data'][number]

const tones: Record<Node['state'], Tone> = {
  live: 'ok',
  waiting: 'info',
  away: 'warn',
  refused: 'bad',
  unable: 'warn',
}

export function ZoneOverview({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const status = useCall(zoneConfiguration.status, { zoneId }, { everyMs })
  return (
    <>
      <PageHead title={t('overview')} help={t('overview.help')} />
      <Loaded call={status} title={t('nodes')} help={t('nodes.help')}>
        {({ revision, savedAt, actor, nodes, rollouts }) => (
          <>
            <p className="flex flex-wrap gap-x-4 pb-2 font-medium">
              {revision === 0 ? t('never') : t('revision', { n: revision })}
              {savedAt && <span className="font-normal text-ink-3">{`${actor} · ${format.ago(savedAt)}`}</span>}
            </p>
            {rollouts.map((rollout) => (
              <div key={rollout.group} className="flex flex-wrap items-center gap-x-4 py-2">
                <Status tone={rollout.state === 'running' ? 'info' : 'bad'} going={rollout.state === 'running'}>
                  {t(rollout.state === 'running' ? `step.${rollout.step}` : 'returned')}
                </Status>
                <span className="text-ink-2">{t('group', { name: rollout.group })}</span>
                <span className="text-ink-3">{format.ago(rollout.since)}</span>
                {rollout.reason !== '' && <p className="basis-full break-words text-bad">{rollout.reason}</p>}
              </div>
            ))}
            {nodes.length === 0 ? (
              <p className="py-3 text-ink-3">{t('noNodes')}</p>
            ) : (
              <ul className="divide-y divide-line">
                {nodes.map((node) => (
                  <NodeLine key={node.id} node={node} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      <Changes zoneId={zoneId} />
    </>
  )
}

function NodeLine({ node }: { node: Node }) {
  const t = usePhrases('configuration')
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-4 py-2">
      <span className="font-medium">{node.name}</span>
      <Status tone={tones[node.state]} going={node.state === 'waiting'}>
        {t(`state.${node.state}`)}
      </Status>
      <span className="text-ink-3">{node.revision === 0 ? t('defaults') : t('revision', { n: node.revision })}</span>
      {node.reason !== '' && <p className="basis-full break-words text-bad">{node.reason}</p>}
    </li>
  )
}

function Changes({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const tAudit = usePhrases('audit')
  const format = useFormat()
  const [state, go] = useListState('zoneHistory', ListSearch)
  const { page, pageSize } = state
  const call = useCall(zoneConfiguration.history, { zoneId, query: { page, pageSize } })
  const columns: Column<Entry>[] = [
    { key: 'revision', title: t('history.revision'), render: ({ revision }) => format.number(revision) },
    { key: 'action', title: t('history.what'), render: ({ action }) => actionText(action, tAudit) },
    {
      key: 'changes',
      title: t('history.changes'),
      render: ({ changes }) => (
        <span className="mono text-xs">{changes.map((change) => sayChange(change, t('defaults'))).join('; ')}</span>
      ),
    },
    { key: 'actor', title: t('history.who'), render: ({ actor }) => actor },
    {
      key: 'createdAt',
      title: t('history.when'),
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
  return (
    <div className="mt-3">
      <ResourceTable
        label={t('history')}
        list="zoneHistory"
        call={call}
        columns={columns}
        rowKey={({ revision }) => revision}
        rowLabel={({ revision }) => String(revision)}
        state={state}
        go={go}
        empty={<Empty title={t('history.empty')} />}
      />
    </div>
  )
}

/** `http2: {"enable":false}`; null is the default. For rules that are only observed, their numbers. */
function sayChange({ path, after }: Entry['changes'][number], defaults: string): string {
  if (after === null) return `${path}: ${defaults}`
  const observed = path === 'wafObserved' ? SavedObserved.safeParse(after) : undefined
  if (!observed?.success) return `${path}: ${JSON.stringify(after)}`
  return `${path}: ${observed.data.rules.map(({ ruleID }) => ruleID).join(', ')}`
}
