/**
 * One site's flood, with shared memory a hundredth of the real size: no other site loses a ban, level, purge or
 * counter.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { flood, v4, v6 } from './flood.ts'

const small = (conf: string) =>
  conf
    .replace(/(lua_shared_dict (?:buckets|crowds|cache_metadata)) \d+m/g, '$1 1m')
    .replace(/(lua_shared_dict purges) \d+m/, '$1 4m')

/** A request takes a quarter of an hour to be forgotten, so that only an eviction can empty a bucket. */
const slow = { id: 1, urlRegex: '', rate: 0.001, burst: 2, blockType: 2, mode: 'enforce' as const }
const banned = '203.0.113.9'
const ban = { id: 2, urlRegex: '', methods: [], ips: [banned], mode: 'enforce' as const }
const visitors = Array.from({ length: 50 }, (_, i) => `198.51.100.${i + 1}`)

let box: Box
let origin: StubOrigin
/** Requests to the quiet site. */
let asked = 0

const visit = async (address: string, path = '/') => {
  asked++
  return (await box.request('quiet.test', path, { headers: { 'x-forwarded-for': address } })).status
}
const counted = (site: number) => box.counters().reduce((sum, row) => sum + (row.site === site ? row.requests : 0), 0)

beforeAll(async () => {
  origin = await StubOrigin.start()
  const settings = { trustedProxies: ['127.0.0.0/8'] }
  const rules = { rateRules: [slow], denyRules: [ban] }
  box = await Box.start(
    {},
    (disk) => {
      disk.feed(
        disk.site({ site: 1, hosts: ['quiet.test'], origins: [{ port: origin.port }], settings, firewall: rules }),
      )
      disk.feed(
        disk.site({ site: 2, hosts: ['loud.test'], origins: [{ port: origin.port }], settings, firewall: rules }),
      )
    },
    small,
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('levels and bans of a quiet site survive a flood of addresses, IPv4 and IPv6, on another', async () => {
  for (const address of visitors) {
    for (let i = 0; i < 3; i++) expect(await visit(address)).toBe(200)
    expect(await visit(address)).toBe(503)
  }
  const port = box.settings.httpPort
  const first = await flood({ port, host: 'loud.test', count: 20_000, address: v4 })
  const second = await flood({ port, host: 'loud.test', count: 20_000, address: v6 })
  const sent = [...first.values(), ...second.values()].reduce((sum, count) => sum + count, 0)
  expect(sent).toBe(40_000)
  for (const address of visitors) expect(await visit(address)).toBe(503)
  expect(await visit(banned)).toBe(403)
  // A new visitor of the quiet site gets a level of their own at once.
  for (const status of [200, 200, 200, 503]) expect(await visit('192.0.2.77')).toBe(status)
  await until('every request is counted, to its own site', () => counted(1) === asked && counted(2) === 40_000)
  const { dictionaries, vitals } = await box.state()
  expect(dictionaries.buckets).toBeGreaterThan(0)
  expect(vitals.errors).toBe(0)
})

test('a site that purges continuously takes no other site’s memory for purges', async () => {
  const purge = (site: number, id: number, values: string[]) =>
    box.control('POST', '/purge', { purges: [{ id, site, type: 'url', values }] })
  await purge(1, 1, ['quiet.test/old'])
  for (let i = 0; i < 20; i++)
    await purge(
      2,
      10 + i,
      Array.from({ length: 1500 }, (_, at) => `loud.test/${i}/${at}`),
    )
  await purge(1, 100, ['quiet.test/new'])
  expect((await box.state()).dictionaries.purges).toBeGreaterThan(0)
})

test('a site with the worst rules that can be saved is slow only for its own visitors', async () => {
  // Each takes a while on a long path and does not match; the site has as many as it may have.
  const rule = (id: number) => ({ ...slow, id, urlRegex: `a.*b.*c.*d.*e.*f.*g.*h.*i.*${id}` })
  const worst = { rateRules: Array.from({ length: 200 }, (_, i) => rule(i + 1)) }
  const site = box.disk.site({ site: 3, hosts: ['worst.test'], origins: [{ port: origin.port }], firewall: worst })
  await box.control('POST', '/apply', { entries: [site] })
  const path = `/${'a'.repeat(8000)}`
  for (let i = 0; i < 30; i++) await box.request('worst.test', path)
  // By now the CPU budgets of both workers are used up: a request is aborted after a moment.
  const [took, beside]: [number[], number[]] = [[], []]
  for (let i = 0; i < 20; i++) {
    const began = performance.now()
    expect((await box.request('worst.test', path)).status).toBe(500)
    const ended = performance.now()
    took.push(ended - began)
    await visit(visitors[0]!)
    beside.push(performance.now() - ended)
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[10]!
  // Without the abort, one such request takes seconds. A plain request after each shows how busy the machine is.
  expect(median(took)).toBeLessThan(100 + 10 * median(beside))
  expect((await box.request('worst.test', '/short')).status).toBe(200)
  expect(await visit('192.0.2.78')).toBe(200)
})
