import { expect, test } from 'vitest'
import { newWatch, type Second, type SiteWatch, watchSecond } from './attack-watch.ts'

const calm: Second = { requests: 10, asked: 5, failures: 0, threshold: 0, usual: 20 }
const flood: Second = { ...calm, requests: 200 }

let now = 0
/** Feeds identical seconds. Returns after how many of them the site came under attack, or became calm. */
function pass(watch: SiteWatch, second: Second, seconds: number): number | undefined {
  const was = watch.attack !== undefined
  let changed: number | undefined
  for (let n = 1; n <= seconds; n++) {
    now += 1
    watchSecond(watch, 7, second, now)
    if (changed === undefined && (watch.attack !== undefined) !== was) changed = n
  }
  return changed
}

test('an attack begins in the third second above 4 times the usual rate, and ends after 5 minutes below half', () => {
  const watch = newWatch()
  expect(pass(watch, { ...calm, requests: 80 }, 60)).toBeUndefined()
  expect(pass(watch, flood, 2)).toBeUndefined()
  expect(pass(watch, calm, 1)).toBeUndefined()
  expect(pass(watch, flood, 3)).toBe(3)
  expect(watch.attack).toMatchObject({ site: 7, reason: 'requests', rate: 200, limit: 80 })
  expect(pass(watch, { ...calm, requests: 41 }, 1000)).toBeUndefined()
  expect(pass(watch, calm, 299)).toBeUndefined()
  expect(pass(watch, flood, 1)).toBeUndefined()
  expect(pass(watch, calm, 300)).toBe(300)
})

test('an attack that returns within half an hour lasts at least twice as long as before, up to an hour', () => {
  const watch = newWatch()
  const holds = []
  for (let n = 0; n < 7; n++) {
    pass(watch, flood, 3)
    holds.push(watch.attack?.holds)
    pass(watch, calm, 4000)
    now -= 3000
  }
  expect(holds).toEqual([120, 240, 480, 960, 1920, 3600, 3600])
  pass(watch, calm, 10_000)
  pass(watch, flood, 3)
  expect(watch.attack?.holds).toBe(120)
})

test('the threshold of the site overrides the usual rate; with neither, traffic alone triggers nothing', () => {
  const set = newWatch()
  expect(pass(set, { ...calm, threshold: 9 }, 10)).toBe(3)
  expect(pass(newWatch(), { ...flood, usual: undefined }, 10)).toBeUndefined()
  expect(pass(newWatch(), { ...calm, requests: 45, usual: 0 }, 10)).toBeUndefined()
})

test('an origin that fails one of five requests counts as under attack if it gets enough requests', () => {
  const failing = { ...calm, requests: 30, asked: 30, failures: 7 }
  const watch = newWatch()
  expect(pass(watch, failing, 10)).toBe(3)
  expect(watch.attack).toMatchObject({ reason: 'failures', rate: 7, limit: 6 })
  expect(pass(newWatch(), { ...failing, asked: 10, failures: 10 }, 10)).toBeUndefined()
})
