/** What takes a worker long goes on in slices: who asks meanwhile is answered before it ends. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_, response) => {
    response.setHeader('cache-control', 'max-age=3600').end('hello')
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const origins = [{ port: origin.port }]
    const waf = { rules: coreRuleSet().part, module: { overBudget: 'pass' as const } }
    disk.feed(disk.site({ site: 1, hosts: ['shop.test'], origins, requires: ['waf'], waf }))
    disk.feed(disk.site({ site: 2, hosts: ['quiet.test'], origins }))
  })
  await box.request('quiet.test', '/')
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** How many requests of another site, one after the other, are answered while something is under way. */
async function answeredDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  for (let answered = 0; ; answered++) {
    const { status } = await box.request('quiet.test', '/')
    if (isOver) {
      await work
      return answered
    }
    expect(status).toBe(200)
  }
}

/** What a worker that goes on to the end lets through at most: what it had begun before. */
const withoutSlices = 2

test('a form that every decoder has work with', async () => {
  const body = `text=${'%2525u003c%26%23x3c%3b%5cu003C%5cx3c%2f*%2b*%2f'.repeat(850)}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const asked = box.request('shop.test', '/form', { method: 'POST', headers, body })
  expect(await answeredDuring(asked)).toBeGreaterThan(withoutSlices)
})

test('a purge by a tag, of a million bytes of tagged URLs and more', async () => {
  const line = (n: number) => JSON.stringify({ site: 2, key: `http/quiet.test/page-${n}`, tags: ['shoes', `n${n}`] })
  const lines = Array.from({ length: 100_000 }, (_, n) => line(n))
  writeFileSync(join(box.settings.folder, 'cache/tags.log'), `${lines.join('\n')}\n`)
  const purges = [{ id: 1, site: 2, type: 'tag', values: ['hats'] }]
  expect(await answeredDuring(box.control('POST', '/purge', { purges }))).toBeGreaterThan(withoutSlices)
})
