import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'

let server: LogServer
/** Epoch seconds, within one hour. */
const at = Math.floor(Date.now() / 3_600_000) * 3600 - 3600

beforeAll(async () => {
  server = await startLogServer()
  const [mine, theirs] = [server.mine.site, server.theirs.site]
  const many = (count: number, of: object) => Array.from({ length: count }, (_, n) => ({ time: at + n, ...of }))
  await server.uploadEvents([
    // One per second to each site for five seconds: ten over both.
    ...many(5, { address: '198.51.100.7', site: mine }),
    ...many(5, { address: '198.51.100.7', site: theirs }),
    ...many(3, { address: '198.51.100.9', site: mine }),
    { time: at + 60, address: '2001:db8::5', site: theirs, weight: 4 },
    {
      time: at + 61,
      address: '2001:db8::6',
      site: theirs,
      action: 'block',
      status: 403,
      cause: 903,
      guard: 'denyRules',
    },
    // Matched by an allow rule: no limit counts it.
    ...many(9, { address: '203.0.113.4', site: mine, guard: 'allowRules', rule: 3 }),
  ])
})
afterAll(() => server.stop())

const ask = (path: string, body: object, as = server.operator) =>
  server.call('POST', `/client/zone/${server.node.zoneId}/setting/${path}/backtest`, { as, body })

test('a list is tried on the requests to all sites of the zone, with the affected addresses and sites', async () => {
  const { status, body } = await ask('ipset', { ips: ['198.51.100.7', '2001:db8::/32'] })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.data).toMatchObject({
    ...{ requests: 27, would: { block: 15, challenge: 0 }, alreadyRefused: 1, addresses: 2, sites: 2, oneIn: 1 },
    topAddresses: [
      { name: '198.51.100.7', requests: 10 },
      { name: '2001:db8::', requests: 5 },
    ],
    topSites: [
      { siteID: server.theirs.site, name: 'their site', requests: 10 },
      { siteID: server.mine.site, name: 'my site', requests: 5 },
    ],
    isPartial: false,
  })
  const hour = body.data.series.find(({ time }: { time: string }) => Date.parse(time) === at * 1000)
  expect(hour).toMatchObject({ requests: 27, refused: 15 })
  expect(body.data.series.length).toBeGreaterThanOrEqual(24)
})

test('a limit counts an address over all sites, from its first request on, except for allowed ones', async () => {
  const { status, body } = await ask('anticc', { seconds: 10, times: 4 })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.data).toMatchObject({
    ...{ requests: 27, would: { block: 0, challenge: 6 }, addresses: 1, sites: 2, isPartial: false },
    topAddresses: [{ name: '198.51.100.7', requests: 6 }],
  })
  // Two per second come from one address, and one row of weight four from the other.
  const narrow = await ask('anticc', { seconds: 1, times: 2 })
  expect(narrow.body.data).toMatchObject({
    would: { block: 0, challenge: 4 },
    topAddresses: [{ name: '2001:db8::', requests: 4 }],
  })
})

test('a flood from one address is processed completely, over several pages', async () => {
  const flood = Array.from({ length: 50_500 }, (_, n) => ({ time: at + 100 + n / 1000, address: '192.0.2.77' }))
  for (let from = 0; from < flood.length; from += 10_000)
    await server.uploadEvents(flood.slice(from, from + 10_000), { rows: true })
  const { body } = await ask('anticc', { seconds: 600, times: 1_000 })
  expect(body.data).toMatchObject({
    ...{ would: { challenge: 9_000, block: 40_500 }, isPartial: false },
    topAddresses: [{ name: '192.0.2.77', requests: 49_500 }],
  })
})

test('an operator can query only its own zones, for 1 to 24 whole hours, and valid addresses', async () => {
  expect(
    (
      await server.call('POST', '/client/zone/999999/setting/ipset/backtest', {
        as: server.operator,
        body: { ips: ['192.0.2.1'] },
      })
    ).status,
  ).toBe(403)
  for (const body of [
    { ips: [] },
    { ips: ['nobody'] },
    { ips: ['192.0.2.1'], hours: 25 },
    { ips: ['192.0.2.1'], hours: 0 },
  ])
    expect((await ask('ipset', body)).status, JSON.stringify(body)).toBe(400)
  expect((await ask('anticc', { seconds: 0, times: 1 })).status).toBe(400)
  expect((await ask('ipset', { ips: ['192.0.2.1'] })).body.data).toMatchObject({
    ...{ would: { block: 0 }, topAddresses: [], topSites: [] },
  })
})
