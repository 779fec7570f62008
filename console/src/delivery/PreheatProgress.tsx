/** Progress of a preheat, wherever it was started, and which URLs are not stored on which node, and why. */
import { preheat } from '@breakwater/contract/delivery/preheat.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Status } from '../kit/Status.tsx'
import { follow, readUntil, useFollowed } from '../kit/useJob.ts'
import { send } from '../platform/browser.ts'
import { phrasesNow, usePhrases } from '../platform/phrases.ts'

type Preheated = Reply<typeof preheat.status>

const shownMax = 10
const everyMs = 1000
const jobOf = (siteId: number) => `preheat/${siteId}`
const isOver = ({ done, failed, total }: Preheated) => done + failed >= total

/** Follows a preheat that was started, on this page and on others. */
export function followPreheat(siteId: number, taskId: number): void {
  void follow<Preheated>(jobOf(siteId), taskId, async (tell) => {
    const end = await readUntil(() => send(preheat.status, { siteId, taskId }), isOver, tell, everyMs)
    const t = await phrasesNow('delivery')
    const { done, total, nodes } = end
    return { said: t('preheat.running', { done, total, nodes }), isBad: end.failed > 0 }
  })
}

export function PreheatProgress({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const job = useFollowed<Preheated>(jobOf(siteId), (taskId) => followPreheat(siteId, taskId))
  if (!job?.state) return null
  const { done, total, nodes, failed, failures } = job.state
  return (
    <div role="status" className="mb-3 rounded-panel border border-line bg-surface px-4 py-2.5">
      <Status tone={failed > 0 ? 'bad' : job.isOver ? 'ok' : 'info'} going={!job.isOver}>
        {t('preheat.running', { done, total, nodes })}
      </Status>
      {failures.slice(0, shownMax).map(({ url, node, detail }) => (
        <p key={`${node} ${url}`} className="break-all text-bad text-xs">
          {t('preheat.failed', { url, node, detail })}
        </p>
      ))}
      {failed > shownMax && <p className="text-bad text-xs">{t('preheat.more', { n: failed - shownMax })}</p>}
    </div>
  )
}
