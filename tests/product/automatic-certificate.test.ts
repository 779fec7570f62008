/**
 * A domain's automatic certificate from a real CA (Debian's pebble) through the whole product: enabled by the customer,
 * ordered by the worker, validated through nginx, and served by it a moment later.
 */
import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pebble, startPebble } from '../../server/src/certificates/testing/pebble.ts'
import { type DnsServerUnderTest, startDnsServer } from '../../server/src/testing/dns-server.ts'
import { signIn } from '../harness/api.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { freePorts } from '../harness/ports.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

let product: Product
let dns: DnsServerUnderTest
let pebble: Pebble
let origin: Origin
let shop: Shop
const host = 'automatic.example.com'

beforeAll(async () => {
  const [port] = (await freePorts(1)) as [number]
  dns = await startDnsServer()
  dns.set(host, 'A', '127.0.0.1')
  ;[origin, pebble, product] = await Promise.all([
    startOrigin(),
    startPebble(port, dns.at),
    startProduct({
      EDGE_HTTP_PORT: String(port),
      BREAKWATER_ACME_HTTP_PORT: String(port),
      BREAKWATER_DNS_SERVERS: dns.at,
    }),
  ])
  shop = await openShop(product, origin.port, 'automatic')
})
afterAll(async () => {
  await product?.stop()
  await pebble?.stop()
  await dns?.stop()
  await origin?.stop()
})

/** The certificate that nginx presents for the name, or undefined if the handshake fails. */
const shown = () =>
  new Promise<X509Certificate | undefined>((resolve) => {
    const at = { port: product.edgeHttpsPort, host: '127.0.0.1', servername: host, rejectUnauthorized: false }
    const socket = connect(at, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw))
      socket.destroy()
    })
    socket.on('error', () => resolve(undefined))
  })

test('once enabled, a certificate of the CA is on the wire, and plain HTTP redirects to HTTPS', async () => {
  const { operator, password } = product.accounts
  const desk = await signIn(product.url, 'client', operator, password)
  const [{ id }] = await shop.change('GET', `${shop.of}/domains`)
  await desk.call('POST', `/client/site/${shop.siteID}/domain/${id}/approve`, undefined)
  const { directory: url, trusted: authorities, keyID, hmacKey } = pebble
  const acme = { enable: true, url, email: '', profile: '', keyID, hmacKey, authorities, perSite: 0 }
  expect((await desk.call('PUT', '/client/setting/acme', acme)).status).toBe(200)
  expect(await shown()).toBe(undefined)

  await shop.change('PATCH', `${shop.of}/domain/setting/forceSSL`, { ids: [id], forceSSL: true })
  expect((await shop.visit('/hello', { host })).status).toBe(200)
  await shop.change('POST', `${shop.of}/domain/setting/autoSSL`, { ids: [id], enable: true })
  await until('the certificate on the wire', async () => (await shown()) !== undefined)
  expect((await shown())?.issuer).toMatch(/Pebble Intermediate/)
  expect((await shown())?.subjectAltName).toBe(`DNS:${host}`)
  const settings = await shop.change('GET', `${shop.of}/domain/settings?domainName=${host}`)
  expect(settings).toMatchObject({ certStatus: 1, certificate: { name: host, detail: '' } })
  await shop.live()
  expect((await shop.visit('/hello', { host })).status).toBe(301)
  const { body } = await desk.call('GET', '/client/autoCertificates')
  expect(body.data).toMatchObject([{ domainName: host, status: 1, siteID: shop.siteID }])
})
