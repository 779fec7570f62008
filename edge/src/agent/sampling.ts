/** How many requests one logged row stands for, by how full the spool is. */

/** Shares of the quota from which on rows are sampled this much. */
const steps = [
  { share: 0.75, weight: 64 },
  { share: 0.5, weight: 16 },
  { share: 0.25, weight: 4 },
  { share: 0.125, weight: 2 },
]

/** The weight for a spool of this size. It falls only below half of a step, so that it does not swing at an edge. Pure. */
export function weightFor(spoolBytes: number, quotaBytes: number, current: number): number {
  const share = spoolBytes / quotaBytes
  const up = steps.find((step) => share >= step.share)?.weight ?? 1
  if (up >= current) return up
  return Math.min(current, steps.find((step) => share >= step.share / 2)?.weight ?? 1)
}
