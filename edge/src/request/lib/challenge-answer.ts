/**
 * The answers of challenges: derived from a digest that only the group's nodes can compute, so that no page contains
 * one.
 */

/** How far the slider's dot may be from its ring in each direction, in units of the picture. */
export const slack = 4
/** Where the ring may be: the lowest value of each coordinate, and the number of possible values. */
export const gapX = { first: 40, count: 220 }
export const gapY = { first: 30, count: 150 }

const pair = (digest: string, at: number): number => digest.charCodeAt(at) * 256 + digest.charCodeAt(at + 1)

/** Whether a mode asks for an answer that could be guessed. */
export const isGuessable = (mode: number): boolean => mode === 2 || mode === 5

/** The expected answer: five digits for a code, `x,y` for a slider, and '' for modes without a question. */
export function answerFrom(mode: number, digest: string): string {
  if (mode === 2) {
    let digits = ''
    for (let i = 0; i < 5; i++) digits += `${pair(digest, i * 2) % 10}`
    return digits
  }
  if (mode !== 5) return ''
  return `${gapX.first + (pair(digest, 0) % gapX.count)},${gapY.first + (pair(digest, 2) % gapY.count)}`
}

/** Whether the given answer is right. */
export function isRight(mode: number, answer: string, given: string): boolean {
  if (mode !== 5) return given === answer
  const [x, y] = answer.split(',')
  const [givenX, givenY] = given.split(',')
  return isNear(x, givenX) && isNear(y, givenY)
}

function isNear(place: string | undefined, given: string | undefined): boolean {
  if (given === undefined || given === '') return false
  // False if one of them is not a number.
  return Math.abs(Number(place) - Number(given)) <= slack
}
