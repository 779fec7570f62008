/** Exact counters: they match the requests sent, under concurrency, across a reload and after a stop. */

import { CounterRow } from '@breakwater/contract/edge/events.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response, asked) => {
    if (asked.url.startsWith('/keep')) response.setHeader('cache-control', 'max-age=600')
    response.end(asked.url)
  })
  box = await Box.start({}, (disk) =>
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        firewall: {
          denyRules: [
            { id: 1, urlRegex: '^/deny', methods: [], ips: ['127.0.0.1'], mode: 'enforce' },
            { id: 2, urlRegex: '^/watch', methods: [], ips: ['127.0.0.1'], mode: 'observe' },
          ],
        },
      }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('the sums equal the requests that were sent, and the rows agree', async () => {
  await box.request('site.test', '/keep')
  const kinds = ['/keep', '/deny', '/direct', '/watch', '/keep', '/deny']
  const paths = Array.from({ length: 900 }, (_, i) => kinds[i % 6]!)
  const bytes = { sent: 0 }
  const worker = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const reply = await box.request('site.test', path)
      bytes.sent += reply.body.length
      if (paths.length === 400) box.signal('SIGHUP')
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  await box.stop('SIGQUIT')
  const rows = box.counters().map((row) => CounterRow.strict().parse(row) as CounterRow)
  const sum = (of: (row: CounterRow) => boolean) => rows.filter(of).reduce((total, row) => total + row.requests, 0)
  expect(sum(() => true)).toBe(901)
  expect(sum((row) => row.status === 403 && row.cause === 903)).toBe(300)
  expect(sum((row) => row.cache === 'HIT')).toBe(300)
  expect(sum((row) => row.status === 200 && row.cause === 0)).toBe(451)
  // Observed requests have the rule's cause as well; the action tells them apart.
  expect(['block', 'observe', 'pass'].map((action) => sum((row) => row.action === action))).toEqual([300, 150, 451])
  expect(rows.reduce((total, row) => total + row.originRequests, 0)).toBe(origin.asked.length)
  expect(box.rows()).toHaveLength(901)
})

test('with sampling, one in `weight` rows is logged, with its weight', async () => {
  await box.boot()
  await box.control('POST', '/sampling', { weight: 10 })
  const before = box.rows().length
  for (let i = 0; i < 400; i++) await box.request('site.test', '/keep')
  await box.stop('SIGQUIT')
  const rows = box.rows().slice(before)
  expect(rows.every((row) => row.weight === 10)).toBe(true)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.length).toBeLessThan(100)
})
