/** A node never uses itself as an origin: by none of its addresses, and not with an operator's exception. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin
let httpPort: number
let httpsPort: number

/** The origin address of each site, by its host. */
const loops: Record<string, string> = {
  'v4.test': '127.0.0.1',
  'another-v4.test': '127.8.7.6',
  'any.test': '0.0.0.0',
  'mapped.test': '::ffff:127.0.0.1',
  'v6.test': '::1',
}
/** Spellings that are not covered by an exception. */
const spelled: Record<string, string> = {
  'compatible.test': '::127.0.0.1',
  'siit.test': '::ffff:0:7f00:1',
  'site-local.test': 'fec0::1',
  'nat64.test': '64:ff9b::7f00:1',
  'sixtofour.test': '2002:7f00:1::1',
  'public.test': '198.41.0.4',
}

beforeAll(async () => {
  origin = await StubOrigin.start()
  httpPort = await freePort()
  httpsPort = await freePort()
  const options = { workers: 1, ownAddresses: ['198.41.0.4'], ownPorts: [httpPort, httpsPort] }
  box = await Box.start({ ...options, httpPort, httpsPort }, (disk) => {
    let site = 0
    const entry = (host: string, target: string, port: number, tls = false) =>
      disk.feed(
        disk.site({
          site: ++site,
          hosts: [host],
          origins: [{ host: target, port, tls }],
          allowOrigins: ['127.0.0.0/8', '0.0.0.0/8', '::1'],
        }),
      )
    for (const [host, target] of Object.entries(loops)) {
      entry(host, target, httpPort)
      entry(`tls.${host}`, target, httpsPort, true)
    }
    for (const [host, target] of Object.entries(spelled)) entry(host, target, origin.port)
    entry('neighbour.test', '127.0.0.1', origin.port)
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test.each(Object.entries(loops))('%s: the edge is not used as an origin at %s, on either port', async (host) => {
  for (const name of [host, `tls.${host}`]) {
    const before = (await box.state()).requests
    expect((await box.request(name, '/')).status).toBe(502)
    // The request itself and the two state requests, and no looped one.
    expect((await box.state()).requests - before).toBeLessThanOrEqual(3)
  }
})

test.each(Object.entries(spelled))('%s: an exception for loopback does not open %s', async (host) => {
  const before = origin.asked.length
  expect((await box.request(host, '/')).status).toBe(502)
  expect(origin.asked.length).toBe(before)
})

test('another port of this machine can be an origin if the operator made an exception', async () => {
  expect((await box.request('neighbour.test', '/')).status).toBe(200)
})
