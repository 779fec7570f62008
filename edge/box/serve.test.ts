/** A site on disk is served; unknown hosts get no response. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  box = await Box.start({}, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('a site on disk is served as soon as nginx listens', async () => {
  const reply = await box.request('site.test', '/hello?a=1')
  expect(reply.status).toBe(200)
  expect(reply.text).toBe('origin /hello?a=1')
})

test('an unknown host gets no response at all', async () => {
  await expect(box.request('other.test', '/')).rejects.toThrow(/hang up|ECONNRESET/)
})
