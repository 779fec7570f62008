/** How long before an expiry people are warned: pure functions, in seconds. */

const daySeconds = 86_400
const dayStages = [30, 14, 7, 1].map((days) => days * daySeconds)
/** The earliest warning. */
export const firstStage = dayStages[0]!
/** For a shorter lifetime than this, people are warned at a half and a quarter of it. */
const shortLife = 10 * daySeconds

/** The stages of a lifetime. One in its first half is left out: it would be sent as soon as the lifetime begins. */
export function stagesOf(life: number): number[] {
  if (life < shortLife) return [Math.round(life / 2), Math.round(life / 4)]
  return dayStages.filter((stage) => stage <= life / 2)
}

/** The stage to warn of now: the last one reached, unless it was already sent. Undefined once the end has passed. */
export function stageDue({ left, life, told }: { left: number; life: number; told: number | null }) {
  const stage = stagesOf(life).findLast((one) => left <= one)
  return left <= 0 || stage === undefined || (told !== null && told <= stage) ? undefined : stage
}
