/** Progress of a purge, node by node, wherever it was started. */
import { cache } from '@breakwater/contract/delivery/cache-rules.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Status } from '../kit/Status.tsx'
import { follow, readUntil, useFollowed } from '../kit/useJob.ts'
import { send } from '../platform/browser.ts'
import { phrasesNow, type Say, usePhrases } from '../platform/phrases.ts'

type Purged = Reply<typeof cache.purgeStatus>

const jobOf = (siteId: number) => `purge/${siteId}`
const isOver = ({ done, failed, nodes }: Purged) => done + failed.length >= nodes

/** A purge is complete without offline nodes: they purge before they serve again. */
function wordsOf(t: Say<'delivery'>, { done, nodes, away }: Purged): string {
  const far = nodes > 0 || away === 0 ? [t('purge.running', { done, nodes })] : []
  return [...far, ...(away > 0 ? [t('purge.away', { count: away })] : [])].join(' · ')
}

/** Follows a purge that was started, on this page and on others. */
export function followPurge(siteId: number, taskId: number): void {
  void follow<Purged>(jobOf(siteId), taskId, async (tell) => {
    const end = await readUntil(() => send(cache.purgeStatus, { siteId, taskId }), isOver, tell)
    const t = await phrasesNow('delivery')
    return { said: wordsOf(t, end), isBad: end.failed.length > 0 }
  })
}

export function PurgeProgress({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const job = useFollowed<Purged>(jobOf(siteId), (taskId) => followPurge(siteId, taskId))
  if (!job?.state) return null
  const { failed } = job.state
  return (
    <div role="status" className="mb-3 rounded-panel border border-line bg-surface px-4 py-2.5">
      <Status tone={failed.length > 0 ? 'bad' : job.isOver ? 'ok' : 'info'} going={!job.isOver}>
        {wordsOf(t, job.state)}
      </Status>
      {failed.map(({ node, detail }) => (
        <p key={node} className="text-bad text-xs">
          {t('purge.failed', { node, detail })}
        </p>
      ))}
    </div>
  )
}
