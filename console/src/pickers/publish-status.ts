/** How far a site's saved revision has come: asked often until it is live everywhere, rarely after that. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useCall } from '../app/calls.ts'

const goingMs = 300
const restingMs = 10_000

export function usePublishStatus(siteId: number) {
  const { data } = useCall(
    sites.publishStatus,
    { siteId },
    { everyMs: (status) => (status && status.nodes > 0 && status.live < status.nodes ? goingMs : restingMs) },
  )
  return data
}
