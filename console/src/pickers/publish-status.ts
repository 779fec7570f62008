/** How far a site's saved revision has come: asked often until it is live everywhere, rarely after that. */
import { type PublishStatus, sites } from '@breakwater/contract/sites/sites.ts'
import { useCall } from '../platform/calls.ts'

const goingMs = 300
const restingMs = 10_000

/** What goes in steps takes its time, and what was taken back waits for the next change. */
const isGoing = (status: PublishStatus | undefined): boolean =>
  status !== undefined && !status.settled && status.rollout === null

export function usePublishStatus(siteId: number) {
  const { data } = useCall(
    sites.publishStatus,
    { siteId },
    { everyMs: (status) => (isGoing(status) ? goingMs : restingMs) },
  )
  return data
}
