/** In the top bar of a site: the progress of its latest settings. */
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { Status } from '../kit/Status.tsx'
import { usePublishStatus } from '../pickers/publish-status.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useAwaySince } from '../platform/reach.ts'

export function PublishState({ siteId }: { siteId: number }) {
  const t = usePhrases('shell')
  const status = usePublishStatus(siteId)
  // An outdated state is not shown as current.
  if (useAwaySince() !== undefined) return <Status tone="mute">{t('away.state')}</Status>
  return status ? <ApplyProgress progress={status} /> : null
}
