/** How far a purge has come, node by node. */
import { cache } from '@breakwater/contract/delivery/cache-rules.ts'
import { useCall } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { Status } from '../kit/Status.tsx'

const goingMs = 500
const restingMs = 60_000

export function PurgeProgress({ siteId, taskId }: { siteId: number; taskId: number }) {
  const t = usePhrases('delivery')
  const { data } = useCall(
    cache.purgeStatus,
    { siteId, taskId },
    { everyMs: (status) => (status && status.done + status.failed.length >= status.nodes ? restingMs : goingMs) },
  )
  if (!data) return null
  const isOver = data.done + data.failed.length >= data.nodes
  return (
    <div role="status" className="mb-3 rounded-panel border border-line bg-surface px-4 py-2.5">
      <Status tone={data.failed.length > 0 ? 'bad' : isOver ? 'ok' : 'info'} going={!isOver}>
        {t('purge.running', { done: data.done, nodes: data.nodes })}
      </Status>
      {data.failed.map(({ node, detail }) => (
        <p key={node} className="text-bad text-xs">
          {t('purge.failed', { node, detail })}
        </p>
      ))}
    </div>
  )
}
