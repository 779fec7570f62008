/** How far a site's saved revision has been published: polled often until it is live everywhere, rarely after that. */
import { type PublishStatus, sites } from '@breakwater/contract/sites/sites.ts'
import { useCall } from '../platform/calls.ts'

const goingMs = 300
const restingMs = 10_000

/** A staged rollout takes its time, and a rolled-back one waits for the next change. */
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
