/** How long before an end people are told of it: pure, in seconds. */

const daySeconds = 86_400
const dayStages = [30, 14, 7, 1].map((days) => days * daySeconds)
/** Nothing is told longer before an end. */
export const firstStage = dayStages[0]!
/** What lives for less is told of at a half and a quarter of its life. */
const shortLife = 10 * daySeconds

/** The stages of a life. One in its first half would be told as soon as it begins. */
export function stagesOf(life: number): number[] {
  if (life < shortLife) return [Math.round(life / 2), Math.round(life / 4)]
  return dayStages.filter((stage) => stage <= life / 2)
}

/** The stage to tell of now: the last that was reached, unless that one was told. Nothing once it is over. */
export function stageDue({ left, life, told }: { left: number; life: number; told: number | null }) {
  const stage = stagesOf(life).findLast((one) => left <= one)
  return left <= 0 || stage === undefined || (told !== null && told <= stage) ? undefined : stage
}
