/** What blind guessing achieves, and what it costs. */
import { expect, test } from 'vitest'
import { answerFrom, gapX, gapY, isGuessable, isRight, slack } from './challenge-answer.ts'
import { bitsFor, bitsForSite, bitsMax, bitsMin, isEnough, triesMax } from './challenge-price.ts'

const bytes = (...values: number[]) => String.fromCharCode(...values, ...Array(32).fill(0)).slice(0, 32)

test('three best guesses at a slider succeed in less than one in a hundred challenges', () => {
  // Guesses that do not overlap, all in the middle of the picture, so that everything they cover is a possible
  // position.
  const guesses = [0, 1, 2].map((n) => `${60 + n * (2 * slack + 1)},100`)
  let right = 0
  for (let x = gapX.first; x < gapX.first + gapX.count; x++)
    for (let y = gapY.first; y < gapY.first + gapY.count; y++)
      if (guesses.some((guess) => isRight(5, `${x},${y}`, guess))) right++
  expect(right).toBe(3 * (2 * slack + 1) ** 2)
  expect(right / (gapX.count * gapY.count)).toBeLessThan(1 / 100)
})

test.each(['', ',', '100', '100,', ',100', 'NaN,NaN', 'x,y', '1e999,100', '100,100;', 'Infinity,Infinity', '-,-'])(
  '%j is not a right answer to a slider',
  (given) => expect(isRight(5, '100,100', given)).toBe(false),
)

test('an answer depends on its digest alone: five digits, a position in the picture, or nothing', () => {
  expect(answerFrom(2, bytes(0, 7, 0, 19, 1, 4, 0, 0, 255, 255))).toBe('79005')
  expect(answerFrom(5, bytes(0, 0, 0, 0))).toBe('40,30')
  expect(answerFrom(5, bytes(0, 219, 0, 149))).toBe('259,179')
  expect([1, 3].map((mode) => answerFrom(mode, bytes(1)))).toEqual(['', ''])
  expect([1, 2, 3, 4, 5].filter(isGuessable)).toEqual([2, 5])
})

test('each wrong answer raises the price of a page, and three of them void all older pages', () => {
  expect([0, 1, 2, 3, 8, 100].map(bitsFor)).toEqual([16, 17, 18, 19, 24, 24])
  expect([-5, 0, 199, 200, 399, 400, 800, 1600, 1e9].map(bitsForSite)).toEqual([16, 16, 16, 17, 17, 18, 19, 20, 20])
  for (let wrong = 0; wrong < bitsMax - bitsMin - triesMax; wrong++) {
    const bits = bitsFor(wrong)
    expect([0, 1, 2, 3].map((more) => isEnough(bits, wrong + more))).toEqual([true, true, true, false])
  }
  expect(isEnough(bitsMax, 1_000_000), 'people who share an address with an attacker can still answer').toBe(true)
})

test('an even chance at the slider costs one address more than a thousand million hashes', () => {
  const chance = (triesMax * (2 * slack + 1) ** 2) / (gapX.count * gapY.count)
  let [missed, hashes, wrong, challenges] = [1, 0, 0, 0]
  for (; missed > 0.5; challenges++) {
    hashes += 2 ** bitsFor(wrong)
    wrong += triesMax
    missed *= 1 - chance
  }
  expect(challenges).toBe(94)
  expect(hashes).toBeGreaterThan(1e9)
})
