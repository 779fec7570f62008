/** A paused, limited or expired site answers 403, even for cached objects. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, header, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
const hour = 3600

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=600').end('origin')
  })
  const now = Math.floor(Date.now() / 1000)
  box = await Box.start({ workers: 1 }, (disk) => {
    const site = (number: number, host: string, closed: { from: number } | undefined) =>
      disk.feed(
        disk.site({
          ...{ site: number, hosts: [host], origins: [{ port: origin.port }] },
          settings: closed ? { closed } : {},
          requires: closed ? ['siteStatus'] : [],
          firewall: { allowRules: [{ id: 1, urlRegex: '', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' }] },
        }),
      )
    site(1, 'open.test', undefined)
    site(2, 'paused.test', { from: 0 })
    site(3, 'expired.test', { from: now - hour })
    site(4, 'later.test', { from: now + hour })
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test.each(versions)(
  'a closed site is refused, and an open or not yet closed one is served, over HTTP/%s',
  async (version) => {
    for (const [host, status] of [
      ['open.test', 200],
      ['later.test', 200],
      ['paused.test', 403],
      ['expired.test', 403],
    ] as const)
      expect([host, (await ask(box, version, host, { path: '/' })).status]).toEqual([host, status])
  },
)

test('the refusal states that the site is switched off, and is not cacheable', async () => {
  const page = await ask(box, '1.1', 'paused.test', { path: '/', headers: { 'accept-language': 'zh-TW' } })
  expect(page.body.toString()).toContain('此網站已停用')
  expect(header(page, 'cache-control')).toBe('no-store')
  const json = await ask(box, '1.1', 'paused.test', { path: '/', headers: { accept: 'application/json' } })
  expect(JSON.parse(json.body.toString())).toMatchObject({ status: 403, title: 'This site is switched off' })
})

test('a paused site serves none of its cached objects, and serves them again afterwards', async () => {
  const of = (revision: number, closed?: { from: number }) =>
    box.disk.site({
      ...{ site: 1, hosts: ['open.test'], revision, origins: [{ port: origin.port }] },
      settings: closed ? { closed } : {},
    })
  const get = async () => (await ask(box, '1.1', 'open.test', { path: '/stored' })).status
  expect(await get()).toBe(200)
  const before = origin.asked.length
  await box.control('POST', '/apply', { entries: [of(2, { from: 0 })] })
  expect(await get()).toBe(403)
  await box.control('POST', '/apply', { entries: [of(3)] })
  expect(await get()).toBe(200)
  expect(origin.asked.length).toBe(before)
})
