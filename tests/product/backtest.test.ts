/** A rule tried on real traffic: the back-test counts what was sent, and what the edge did with it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Origin, startOrigin } from '../harness/origin.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'

let product: SharedProduct
let origin: Origin
let shop: Shop

beforeAll(async () => {
  origin = await startOrigin()
  product = await openTenant('backtest')
  shop = await openShop(product, origin.port)
})

afterAll(async () => {
  await origin?.stop()
})

/** Waits until the log holds this many requests of the site. */
const logged = (count: number) =>
  until('the log', async () => {
    const span = { startTime: Date.now() / 1000 - 3600, endTime: Date.now() / 1000 + 60 }
    const { total } = (await shop.api.call('POST', '/user/logs/access', { ...span, siteIDs: [shop.siteID] })).body
    return total === count
  })
const tried = (body: object) => shop.change('POST', `${shop.of}/firewall/backtest`, body)

const rate = { urlRegex: '^/login', rate: 1, burst: 2, blockType: 1 }

test('a deny rule and a rate rule count the requests that were sent, as the edge decided them', async () => {
  const { id } = await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, rate)
  await shop.live()
  const answers: number[] = []
  for (let i = 0; i < 12; i += 1) answers.push((await shop.visit('/login')).status)
  for (let i = 0; i < 5; i += 1) await shop.visit('/other?q=1')
  const challenged = answers.filter((status) => status === 503).length
  expect(challenged).toBeGreaterThan(0)
  await logged(17)

  // The same rule in its own place decides each request as it did before.
  const same = await tried({ kind: 'rateRules', rule: rate, id })
  expect(same).toMatchObject({
    requests: 17,
    isPartial: false,
    sampled: { isSampled: false, rows: 17, of: 17 },
    matched: 12,
    would: { block: 0, challenge: challenged },
    addresses: 1,
    topAddresses: [{ name: '127.0.0.1', requests: challenged }],
    topPaths: [{ name: `${shop.host}/login`, requests: challenged }],
    alreadyRefused: challenged,
    failed: 0,
  })

  await shop.change('DELETE', `${shop.of}/firewall/l7/secondRates`, { ids: [id] })
  const deny = await tried({ kind: 'denyRules', rule: { urlRegex: '^/login', ips: ['127.0.0.0/8'] } })
  expect(deny).toMatchObject({
    requests: 17,
    matched: 12,
    would: { block: 12, challenge: 0 },
    alreadyRefused: challenged,
  })
  expect(deny.examples[0]).toMatchObject({ address: '127.0.0.1', method: 'GET', path: '/login', would: 'block' })

  // An allow list always takes precedence over a ban.
  const allow = await shop.change('POST', `${shop.of}/firewall/l7/whitelists`, { ips: ['127.0.0.1'] })
  const allowed = await tried({ kind: 'denyRules', rule: { urlRegex: '^/login', ips: ['127.0.0.0/8'] } })
  expect(allowed).toMatchObject({ requests: 17, matched: 0, would: { block: 0, challenge: 0 }, addresses: 0 })
  expect(allowed).toMatchObject({
    earlier: 12,
    earlierBy: [{ guard: 'allowRules', rule: allow.id, isAllowed: true, requests: 12 }],
  })
  expect((await shop.visit('/login')).status).toBe(200)
})
