/**
 * The smallest test of the whole product, from outside: a setting saved through the API is enforced on real traffic,
 * and seen in the log.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, signIn } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { watchPace } from '../harness/pace.ts'
import { nginxWorkers } from '../harness/product.ts'
import type { SharedProduct } from '../harness/shared-product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { openTenant } from '../harness/tenant.ts'
import { until } from '../harness/until.ts'

let product: SharedProduct
let origin: Origin
let shop: Shop
let api: Api
let operator: Api
let of: string
let host: string

beforeAll(async () => {
  origin = await startOrigin()
  product = await openTenant('whole')
  shop = await openShop(product, origin.port)
  operator = await signIn(product.url, 'client', product.accounts.operator, product.accounts.password)
  ;({ api, of, host } = shop)
})

afterAll(async () => {
  await origin?.stop()
})

const visit: Shop['visit'] = (...args) => shop.visit(...args)
const change: Shop['change'] = (...args) => shop.change(...args)
const live = () => shop.live()

describe('a request through the edge', () => {
  test('returns the origin’s bytes; the second is a HIT and says so; both are in the log within 3 s', async () => {
    const [first, second] = [await visit('/hello'), await visit('/hello')]
    expect([first.status, first.body, first.headers['x-cache']]).toEqual([200, 'origin says /hello', 'MISS'])
    expect([second.status, second.body, second.headers['x-cache']]).toEqual([200, 'origin says /hello', 'HIT'])
    const body = { startTime: Date.now() / 1000 - 60, endTime: Date.now() / 1000 + 60, url: '/hello' }
    const [at, pace] = [performance.now(), watchPace()]
    const rows = await until('both log rows', async () => {
      const { data } = (await api.call('POST', '/user/logs/access', body)).body
      return data.length === 2 && data
    })
    expect(performance.now() - at).toBeLessThan(pace.within(3_000))
    pace.stop()
    expect(rows.map((row: { cache: string }) => row.cache).sort()).toEqual(['HIT', 'MISS'])
  })
})

describe('a deny rule', () => {
  test('refuses in under a second without a reload; its reference explains it; a restore allows requests again', async () => {
    const workers = nginxWorkers(product.dataFolder)
    const { revision } = await change('GET', of)
    const { id } = await change('POST', `${of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], memo: 'me' })
    const [at, pace] = [performance.now(), watchPace()]
    const refused = await until('the refusal', async () => {
      const answer = await visit('/hello', { accept: 'text/html', 'accept-language': 'zh-TW' })
      return answer.status === 403 && answer
    })
    expect(performance.now() - at).toBeLessThan(pace.within(1_000))
    pace.stop()
    expect(nginxWorkers(product.dataFolder)).toBe(workers)
    const reference = /[A-Za-z0-9_-]{55}/.exec(refused.body)?.[0]
    expect(reference).toBeTruthy()
    const explained = await until('the explanation', async () => {
      const { status, body } = await api.call('POST', '/user/logs/explain', { reference })
      return status === 200 && body.data.row && body.data
    })
    expect(explained).toMatchObject({
      guard: 'denyRules',
      rule: id,
      cause: 903,
      revision: revision + 1,
      siteName: 'shop',
    })
    expect(explained.ruleBody).toMatchObject({ ips: ['127.0.0.1'] })
    expect(explained.explanation).toMatchObject({ verdict: 'block' })
    expect(explained.explanation.steps.map((step: { guard: string }) => step.guard).slice(0, 5)).toEqual([
      'protocol',
      'siteStatus',
      'allowRules',
      'bans',
      'denyRules',
    ])
    await change('POST', `${of}/history/restore`, { revision })
    await until('the site to be open again', async () => (await visit('/hello')).status === 200)
    expect(nginxWorkers(product.dataFolder)).toBe(workers)
  })

  test('of more than 200 addresses is enforced from a mapped list', async () => {
    const ips = Array.from({ length: 1000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`)
    const { id } = await change('POST', `${of}/firewall/l7/blacklists`, {
      ips: [...ips, '127.0.0.0/8', '2001:db8::/32'],
    })
    await until('the refusal', async () => (await visit('/hello')).status === 403)
    await change('DELETE', `${of}/firewall/l7/blacklists`, { ids: [id] })
    await until('the site to be open again', async () => (await visit('/hello')).status === 200)
  })

  test('in observe mode refuses nobody and is counted', async () => {
    const { id } = await change('POST', `${of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], mode: 'observe' })
    await live()
    expect((await visit('/observed')).status).toBe(200)
    const body = { startTime: Date.now() / 1000 - 60, endTime: Date.now() / 1000 + 60, url: '/observed' }
    const [row] = await until('the row', async () => {
      const { data } = (await api.call('POST', '/user/logs/access', body)).body
      return data.length > 0 && data
    })
    expect(row).toMatchObject({ action: 'observe', guard: 'denyRules', rule: id, status: 200 })
    await change('DELETE', `${of}/firewall/l7/blacklists`, { ids: [id] })
    await live()
  })
})

describe('a rate rule', () => {
  test('challenges above its rate: a page for people, a JSON problem for programs', async () => {
    const { id } = await change('POST', `${of}/firewall/l7/secondRates`, {
      urlRegex: '^/login',
      rate: 1,
      burst: 0,
      blockType: 1,
    })
    await live()
    expect((await visit('/login', { accept: 'text/html' })).status).toBe(200)
    // A request that comes a second after the previous one passes, which may happen on a busy machine.
    const challenged = (accept: string) =>
      until('a challenge', async () => {
        const answer = await visit('/login', { accept })
        return answer.status === 503 && answer
      })
    expect((await challenged('text/html')).body).toMatch(/<script/)
    const program = await challenged('application/json')
    expect(program.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(program.body)).toHaveProperty('reference')
    expect((await visit('/other')).status).toBe(200)
    await change('DELETE', `${of}/firewall/l7/secondRates`, { ids: [id] })
    await live()
  })
})

describe('a body rule', () => {
  test('reads bodies only where it matches', async () => {
    await change('POST', `${of}/firewall/l7/bodyRules`, { urlRegex: '^/comment', contains: 'evil' })
    await live()
    const post = (path: string, body: string) => visit(path, { 'content-type': 'text/plain' }, { method: 'POST', body })
    expect((await post('/comment', 'something evil here')).status).toBe(403)
    expect((await post('/comment', 'something good here')).status).toBe(200)
    expect((await post('/elsewhere', 'something evil here')).status).toBe(200)
  })
})

describe('a purge', () => {
  test('by URL makes the next request a MISS, and shows on how many nodes it is done', async () => {
    await visit('/purged')
    expect((await visit('/purged')).headers['x-cache']).toBe('HIT')
    const { taskID } = await change('DELETE', `${of}/cache`, { type: 'url', urls: [`http://${host}/purged`] })
    await until('the purge', async () => {
      const { data } = (await api.call('GET', `${of}/cache/purge/${taskID}`)).body
      return data.nodes > 0 && data.done === data.nodes
    })
    expect((await visit('/purged')).headers['x-cache']).toBe('MISS')
  })
})

describe('the operator', () => {
  test('sees the node, its load, watermark and version', async () => {
    const zones = (await operator.call('GET', '/client/zones')).body
    // Other tests publish meanwhile: wait for a moment at which the node has everything.
    const node = await until('a report with health, of all that is published', async () => {
      const { data } = (await operator.call('GET', `/client/zone/${zones.data[0].id}/nodes`)).body
      return data[0]?.health && data[0].watermark === data[0].desired && data[0]
    })
    expect(node).toMatchObject({ status: 1, exceptions: [] })
    expect(node.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(node.health.memoryBytes).toBeGreaterThan(0)
  })
})

describe('a site that is saved continuously', () => {
  test('is enforced while the saving goes on, not when it ends', async () => {
    const [module] = (await change('POST', `${of}/module/customHeaders`, { modules: [{ name: 'version' }] })).ids
    const headers = `${of}/module/customHeader/${module}/headers`
    await change('POST', headers, { items: [{ type: 'response', key: 'X-Version', value: '0' }] })
    const [{ id: header }] = (await api.call('GET', headers)).body.data
    const [{ id: domain }] = (await api.call('GET', `${of}/domains`)).body.data
    await change('PUT', `${of}/domains/module/customHeader`, { domainIDs: [domain], moduleID: module })
    await live()
    // A session of its own, whose burst limit is not used up yet.
    const saver = await signIn(product.url, 'user', product.accounts.customer, product.accounts.password)
    const seen = new Set<string>()
    const see = async () => seen.add(String((await visit('/')).headers['x-version']))
    let saved = 0
    while (seen.size < 5 && saved < 90) {
      const body = { id: header, type: 'response', key: 'X-Version', value: `${++saved}` }
      const [{ status }] = await Promise.all([
        saver.call('PUT', `${of}/module/customHeader/${module}/header`, body),
        see(),
      ])
      expect(status).toBe(200)
    }
    expect(seen.size).toBe(5)
    await until('the last', async () => (await visit('/')).headers['x-version'] === `${saved}`)
  })
})

describe('a removed site', () => {
  test('is not served any more', async () => {
    const { siteID } = await change('POST', '/user/site', { siteName: 'brief' })
    const path = `/user/site/${siteID}`
    await change('POST', `${path}/domains`, {
      domains: [{ name: 'brief.example.com', upstreams: [{ ip: '127.0.0.1', port: origin.port }] }],
    })
    const preview = (await change('GET', path)).preview.host
    await until('it to be served', async () => (await visit('/', { host: preview })).status === 200)
    await change('DELETE', '/user/site', { siteID, siteName: 'brief' })
    await until(
      'it to be gone',
      async () => (await visit('/', { host: preview }).catch(() => ({ status: 0 }))).status !== 200,
    )
  })
})
