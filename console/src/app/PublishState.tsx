/** In the top bar of a site: how far its settings have come. */
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { usePublishStatus } from '../pickers/publish-status.ts'

export function PublishState({ siteId }: { siteId: number }) {
  const status = usePublishStatus(siteId)
  return status ? <ApplyProgress progress={status} /> : null
}
