/** A slow uncacheable page: its visitors never wait for each other. */
import { expect, test } from 'vitest'
import { type Bound, watchPace } from '../../../tests/harness/pace.ts'
import { Box } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { type Answer, ask, cacheOf } from './ask.ts'

const pageMs = 700
const perSecond = 20

/** `within` scales a time bound for both requests. */
type Pair = { at: number; answer: Answer; streamed: Answer; within: Bound }

/**
 * Requests a page at a steady pace, regardless of pending responses, and returns them by time of request. Along with
 * each goes a POST, which is never cached and never waits: its duration is that of the origin and the machine.
 */
async function steady(box: Box, path: string, seconds: number): Promise<Pair[]> {
  const asked: Promise<Pair>[] = []
  const began = performance.now()
  const pace = watchPace()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const at = performance.now() - began
      if (at > seconds * 1000) {
        clearInterval(timer)
        return resolve()
      }
      const posted = { method: 'POST', path: `${path}/streamed`, body: 'x' }
      const pair = [ask(box, '1.1', 'site.test', { path }), ask(box, '1.1', 'site.test', posted)] as const
      const bound = pace.from()
      asked.push(
        Promise.all(pair).then(([answer, streamed]) => {
          const factor = bound(1000) / 1000
          return { at, answer, streamed, within: (ms) => ms * factor }
        }),
      )
    }, 1000 / perSecond)
  })
  return Promise.all(asked).finally(pace.stop)
}

// Longer than the lifetime of a mark, so that one expires and must be renewed.
test('a page of 700 ms at 20 requests per second never queues, even when its mark expires', async () => {
  const origin = await StubOrigin.start((_request, response) => {
    setTimeout(() => response.setHeader('cache-control', 'private').end('slow'), pageMs)
  })
  const box = await Box.start({}, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
  try {
    const answers = await steady(box, '/slow', 23)
    expect(answers.filter(({ answer }) => answer.status !== 200 || answer.body.toString() !== 'slow')).toEqual([])
    const longer = (pairs: Pair[], ms: number) =>
      pairs
        .map(({ at, answer, streamed, within }) => [at, answer.ms, streamed.ms, within(ms)] as const)
        .filter(([, slow, plain, more]) => slow > plain + more)
    // Before its first response nothing is known about the page: requests until then may wait for that response.
    const cold = answers.filter(({ at }) => at < pageMs)
    expect(longer(cold, pageMs + 800)).toEqual([])
    const warm = answers.filter(({ at }) => at >= 2 * pageMs)
    expect(longer(warm, 500)).toEqual([])
    // One request renews the mark, not all concurrent ones.
    const renewals = warm.filter(({ answer }) => cacheOf(answer) !== 'DIRECT')
    expect(renewals.length).toBeLessThanOrEqual(2)
    expect(origin.asked.length).toBe(2 * answers.length)
  } finally {
    await box.end()
    await origin.end()
  }
})

test('a page that turns out to be private does not make its first visitors queue', async () => {
  const origin = await StubOrigin.start((_request, response) => {
    setTimeout(() => response.setHeader('cache-control', 'private').end('slow'), pageMs)
  })
  const box = await Box.start({}, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
  try {
    const pace = watchPace()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(box, '1.1', 'site.test', { path: '/cold' })))
    pace.stop()
    // One response to learn it, and one of their own; in a queue it would be twenty.
    const most = pace.within(2 * pageMs + 500)
    expect(answers.filter(({ ms }) => ms > most).map(({ ms }) => ms)).toEqual([])
  } finally {
    await box.end()
    await origin.end()
  }
})
