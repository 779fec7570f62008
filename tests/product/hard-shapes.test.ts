/**
 * One test of each hard feature, from outside: a shared module, a secret, tags, streams, exact counts, a killed
 * process.
 */
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

let product: Product
let origin: Origin
let one: Shop
let two: Shop

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const headers: Record<string, string> = { 'content-type': 'text/plain', 'cache-control': 'public, max-age=60' }
    if (request.url?.startsWith('/tagged')) headers['cache-tag'] = 'news, front'
    response.writeHead(200, headers).end(`origin says ${request.url}`)
  })
  product = await startProduct()
  one = await openShop(product, origin.port, 'one')
  two = await openShop(product, origin.port, 'two')
})

afterAll(async () => {
  await product?.stop()
  await origin?.stop()
})

const lastAtOrigin = (url: string) => origin.requests.findLast((request) => request.url === url)

describe('an origin', () => {
  test('gets the site’s own host on a preview, the visitor’s address, and no header of ours', async () => {
    await one.visit('/who', { 'x-forwarded-for': '203.0.113.9', 'x-bw-address': '203.0.113.9' })
    const { headers } = lastAtOrigin('/who')!
    expect(headers.host).toBe('one.example.com')
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-bw-'))).toEqual([])
  })

  test('gets the credential, which nobody else can send', async () => {
    await one.change('PUT', `${one.of}/setting/originCredential`, { header: 'X-Origin-Key', value: 'tell-nobody-42' })
    await one.live()
    await one.visit('/secret', { 'x-origin-key': 'forged' })
    expect(lastAtOrigin('/secret')?.headers['x-origin-key']).toBe('tell-nobody-42')
    await two.visit('/secret-two')
    expect(lastAtOrigin('/secret-two')?.headers['x-origin-key']).toBeUndefined()
    for (const name of ['agent', 'api', 'node-api', 'nginx']) {
      expect(readFileSync(join(product.dataFolder, 'logs', `${name}.log`), 'utf8')).not.toContain('tell-nobody-42')
    }
  })
})

describe('a custom header module', () => {
  test('shared by two sites is changed once and enforced on both', async () => {
    const [moduleID] = (await one.change('POST', `${one.of}/module/customHeaders`, { modules: [{ name: 'security' }] }))
      .ids
    for (const { change, of } of [one, two]) {
      const { id } = (await one.api.call('GET', `${of}/domains`)).body.data[0]
      await change('PUT', `${of}/domains/module/customHeader`, { domainIDs: [id], moduleID })
    }
    await one.change('POST', `${one.of}/module/customHeader/${moduleID}/headers`, {
      items: [
        { type: 'response', key: 'X-Frame-Options', value: 'DENY' },
        { type: 'request', key: 'X-From', value: 'edge' },
      ],
    })
    for (const shop of [one, two]) {
      await shop.live()
      expect((await shop.visit('/framed')).headers['x-frame-options']).toBe('DENY')
    }
    expect(lastAtOrigin('/framed')?.headers['x-from']).toBe('edge')
  })
})

describe('a purge by tag', () => {
  test('reaches tagged objects only, and of this site only', async () => {
    for (const shop of [one, two])
      for (const path of ['/tagged/1', '/plain']) for (let i = 0; i < 2; i += 1) await shop.visit(path)
    const { taskID } = await one.change('DELETE', `${one.of}/cache`, { type: 'tag', urls: ['news'] })
    await until('the purge', async () => {
      const { nodes, done } = await one.change('GET', `${one.of}/cache/purge/${taskID}`)
      return nodes > 0 && done === nodes
    })
    expect((await one.visit('/tagged/1')).headers['x-cache']).toBe('MISS')
    expect((await one.visit('/plain')).headers['x-cache']).toBe('HIT')
    expect((await two.visit('/tagged/1')).headers['x-cache']).toBe('HIT')
  })
})

describe('an upload', () => {
  test('reaches the origin while it is still being sent', async () => {
    let firstByte: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      firstByte = resolve
    })
    const slow = createServer((request, response) => {
      request.once('data', () => firstByte())
      request.on('end', () => response.end('thanks'))
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const shop = await openShop(product, (slow.address() as AddressInfo).port, 'uploads')
    const request = httpRequest({
      host: '127.0.0.1',
      port: product.edgePort,
      path: '/upload',
      method: 'POST',
      headers: { host: shop.host, 'content-length': 2_000_000 },
    })
    const answer = new Promise<number>((resolve) =>
      request.on('response', (response) => resolve(response.resume().statusCode ?? 0)),
    )
    request.write(Buffer.alloc(1_000_000, 'a'))
    await arrived
    request.end(Buffer.alloc(1_000_000, 'b'))
    expect(await answer).toBe(200)
    await new Promise((resolve) => slow.close(resolve))
  })
})

describe('counts', () => {
  test('are exact: every request once, by status and cause', async () => {
    const shop = await openShop(product, origin.port, 'counted')
    await Promise.all(Array.from({ length: 40 }, (_, i) => shop.visit(`/n/${i % 4}`)))
    await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'] })
    await shop.live()
    await Promise.all(Array.from({ length: 10 }, () => shop.visit('/n/0')))
    // The last minute is still incomplete: it is reported with the previous ones.
    const now = Date.now() / 1000
    const body = { type: 2, siteIDs: [shop.siteID], startTime: now - 600, endTime: now + 600, minutesStep: 1 }
    const sums = await until(
      'the series to hold them all',
      async () => {
        const { data } = (await shop.api.call('POST', '/user/statistics/timeSeries', body)).body as {
          data: { value: { pass: number; drop: number } }[]
        }
        const sum = (name: 'pass' | 'drop') => data.reduce((total, { value }) => total + value[name], 0)
        return sum('pass') + sum('drop') >= 50 && { pass: sum('pass'), drop: sum('drop') }
      },
      90_000,
      1_000,
    )
    expect(sums).toEqual({ pass: 40, drop: 10 })
    // Up to a moment ago, also when nobody visits any more.
    const lags: number[] = []
    await until(
      'a reach of at most 15 s',
      async () => {
        const asked = Date.now() / 1000
        const card = { type: 3, siteIDs: [shop.siteID], startTime: asked - 600, endTime: asked }
        const { until: reached, data } = (await shop.api.call('POST', '/user/statistics/info', card)).body
        lags.push(Math.round(asked - reached))
        return lags.at(-1)! <= 15 && data['3'].requests === 50 && lags.length >= 10
      },
      60_000,
      1_000,
    )
    console.log(`statistics are complete up to ${lags.join(', ')} s ago`)
  })
})

describe('the live log', () => {
  test('shows a request as it happens, and only of one’s own sites', async () => {
    const stop = new AbortController()
    const filter = encodeURIComponent(JSON.stringify({ siteIDs: [one.siteID] }))
    const stream = await fetch(`${product.url}/api/v1/user/logs/access/live?filter=${filter}`, {
      headers: { authorization: one.api.authorization },
      signal: stop.signal,
    })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    let text = ''
    const reading = (async () => {
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) text += chunk
    })().catch(() => undefined)
    await two.visit('/not-mine')
    await one.visit('/watched')
    await until('the row on the stream', async () => text.includes('/watched'))
    expect(text).not.toContain('/not-mine')
    stop.abort()
    await reading
  })
})

describe('a killed process', () => {
  test.each(['agent', 'nginx'])(
    '%s: recovers by itself, and the site is served with the same protection',
    async (name) => {
      const pid = Number(
        name === 'nginx'
          ? readFileSync(join(product.dataFolder, 'node/run/nginx.pid'), 'utf8')
          : /agent runs \(process (\d+)\)/.exec(product.output())?.[1],
      )
      process.kill(pid, 'SIGKILL')
      await until('the site to be served', async () => (await one.visit('/after')).status === 200)
      const { id } = await one.change('POST', `${one.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'] })
      await until('the refusal', async () => (await one.visit('/after')).status === 403)
      await one.change('DELETE', `${one.of}/firewall/l7/blacklists`, { ids: [id] })
      await until('the site to be open again', async () => (await one.visit('/after')).status === 200)
    },
  )
})
