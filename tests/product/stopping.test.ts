/** Stopping finishes work in progress: on the edge, at the API and at the node API. */
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

let product: Product
let origin: Origin
let shop: Shop
/** Sends the second half of the slow download. */
let finishDownload: (() => void) | undefined

const half = 'x'.repeat(300_000)

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    if (request.url !== '/slow') return void response.end('hello')
    response.writeHead(200, { 'content-length': String(2 * half.length), 'cache-control': 'no-store' })
    response.write(half)
    finishDownload = () => response.end(half)
  })
  product = await startProduct()
  shop = await openShop(product, origin.port)
})

afterAll(async () => {
  await product?.stop()
  await origin?.stop()
})

/** A request whose response is read to the end; `failed` is set if the connection broke. */
function follow(outgoing: ClientRequest) {
  const seen = { bytes: 0, status: 0, ended: false, failed: '' }
  outgoing.on('error', (error) => {
    seen.failed = error.message
  })
  outgoing.on('response', (message: IncomingMessage) => {
    seen.status = message.statusCode ?? 0
    message.on('data', (chunk: Buffer) => {
      seen.bytes += chunk.length
    })
    message.on('error', (error) => {
      seen.failed = error.message
    })
    message.on('end', () => {
      seen.ended = true
    })
  })
  return seen
}

const body = JSON.stringify({ account: 'nobody', password: 'a wrong password' })
/** Its head is answered at once (100), its body is sent after the stop has begun. */
const slowPost = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
}

test('Ctrl-C finishes a slow download, a slow call and a slow request of a node, and then everything stops', async () => {
  const download = follow(
    httpRequest({ host: '127.0.0.1', port: product.edgePort, path: '/slow', headers: { host: shop.host } }).end(),
  )
  const call = httpRequest(`${product.url}/api/v1/user/code`, slowPost)
  const called = follow(call)
  const enrolment = httpsRequest({
    ...{ host: '127.0.0.1', port: product.nodePort, path: '/enrol', rejectUnauthorized: false },
    ...slowPost,
  })
  const enrolled = follow(enrolment)
  const underWay = Promise.all([call, enrolment].map((outgoing) => once(outgoing, 'continue')))
  for (const outgoing of [call, enrolment]) outgoing.write(body.slice(0, 10))
  await until('the first half of the download', async () => download.bytes >= 100_000)
  await underWay

  product.interrupt()
  await until('the edge to take no more', async () =>
    shop.visit('/hello').then(
      () => false,
      () => true,
    ),
  )
  for (const outgoing of [call, enrolment]) outgoing.end(body.slice(10))
  finishDownload?.()
  await until('all three to be over', async () =>
    [download, called, enrolled].every((seen) => seen.ended || seen.failed),
  )
  expect(download).toEqual({ bytes: 2 * half.length, status: 200, ended: true, failed: '' })
  expect(called).toMatchObject({ ended: true, failed: '' })
  expect(called.status).toBeGreaterThanOrEqual(400)
  expect(enrolled).toMatchObject({ ended: true, failed: '' })
  await until('the engines to have stopped', async () => /postgres stopped/.test(product.output()))
})
