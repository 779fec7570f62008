/** How many requests each logged row stands for, by how full the spool is. */

/** From this share of the quota on, each row stands for this many requests. */
const steps = [
  { share: 0.75, weight: 64 },
  { share: 0.5, weight: 16 },
  { share: 0.25, weight: 4 },
  { share: 0.125, weight: 2 },
]

/** The weight for a spool of this size. It falls only below half of a threshold, to avoid oscillation. Pure. */
export function weightFor(spoolBytes: number, quotaBytes: number, current: number): number {
  const share = spoolBytes / quotaBytes
  const up = steps.find((step) => share >= step.share)?.weight ?? 1
  if (up >= current) return up
  return Math.min(current, steps.find((step) => share >= step.share / 2)?.weight ?? 1)
}
