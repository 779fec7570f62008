/**
 * The console's own certificate: ordered from a real authority, proven and served by the API, and replaced at run time.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../../tests/harness/ports.ts'
import { withSystem } from '../../db/database.ts'
import type { ConsoleTls } from '../../process/env.ts'
import { type DnsServerUnderTest, startDnsServer } from '../../testing/dns-server.ts'
import { makeTestServer, type TestServer } from '../../testing/server.ts'
import { type Pebble, startPebble } from '../testing/pebble.ts'
import { visit } from '../testing/visit.ts'
import { readConsoleCertificate } from './console-certificate.ts'
import { listenWithTls } from './listen.ts'
import { orderConsoleCertificate } from './order-console.ts'

const name = 'console.example.com'
/** Nothing else on this machine listens here. */
const address = '127.0.0.5'
const patience = { timeout: 60_000 }
let server: TestServer
let dns: DnsServerUnderTest
let pebble: Pebble
const listening: { close: () => Promise<void> }[] = []

beforeAll(async () => {
  const port = await freePort()
  dns = await startDnsServer()
  pebble = await startPebble(port, dns.at)
  server = await makeTestServer({ acmeHttpPort: port, dnsServers: [dns.at] })
  const operator = await server.openSession('client', 'operator')
  const { directory: url, trusted: authorities, keyID, hmacKey } = pebble
  const body = { enable: true, url, email: '', profile: '', keyID, hmacKey, authorities, perSite: 5 }
  expect((await server.call('PUT', '/client/setting/acme', { as: operator, body })).status).toBe(200)
}, 60_000)
afterAll(async () => {
  for (const { close } of listening) await close()
  await server?.stop()
  await pebble?.stop()
  await dns?.stop()
})

/** The API on an address of its own: with port 80, which authorities connect to, and with TLS. */
async function listen(host: string, own: Partial<ConsoleTls> = {}) {
  const { env } = server.services
  const httpsPort = await freePort()
  const consoleTls = { host, httpPort: env.acmeHttpPort, httpsPort, listenAddress: address, files: undefined, ...own }
  const services = { ...server.services, env: { ...env, publicUrl: `https://${host}`, consoleTls } }
  const opened = (await listenWithTls(server.app, services))!
  listening.push(opened)
  return {
    order: () => orderConsoleCertificate(services),
    plain: (path: string, method = 'GET') => visit(address, env.acmeHttpPort, path, { method }),
    secure: (path = '/api/v1/health') => visit(address, httpsPort, path, { serverName: name }),
    close: opened.close,
  }
}
const orderOf = async (host: string) =>
  (await server.services.database.pool.query('select * from console_certificates where name = $1', [host])).rows[0]
const kept = (host: string) =>
  withSystem(server.services.database.db, (db) => readConsoleCertificate(db, server.services.vault, host))

test('the console’s name gets a certificate, served without a restart and renewed, and HTTP redirects', async () => {
  const at = await listen(name)
  expect([(await at.plain('/user')).status, (await at.plain('/.well-known/acme-challenge/x')).status]).toEqual([
    503, 404,
  ])
  await expect(at.secure()).rejects.toThrow()
  // No authority is contacted before the name points here.
  await at.order()
  expect(await orderOf(name)).toMatchObject({ detail: 'noAddress', attempts: 1, chain: '' })
  dns.set(name, 'A', address)
  await server.services.database.pool.query('update console_certificates set next_at = now()')
  await at.order()
  const first = await orderOf(name)
  expect(first).toMatchObject({ detail: '', attempts: 0, chain: expect.stringMatching(/BEGIN CERTIFICATE/) })
  expect(first.renew_at.getTime()).toBeGreaterThan(Date.now())
  expect(first.sealed.toString('latin1')).not.toMatch(/PRIVATE KEY/)
  await expect.poll(() => at.secure().catch(() => undefined), patience).toMatchObject({ names: `DNS:${name}` })
  expect((await at.secure()).status).toBe(200)
  expect(await at.plain('/user/sites?x=1')).toMatchObject({ status: 308, location: `https://${name}/user/sites?x=1` })
  expect((await at.plain('/api/v1/user/code', 'POST')).status).toBe(403)
  // Nothing is due, so nothing is ordered.
  await at.order()
  expect((await orderOf(name)).chain).toBe(first.chain)
  await server.services.database.pool.query('update console_certificates set next_at = now(), renew_at = now()')
  await at.order()
  const { chain } = await orderOf(name)
  expect(chain).not.toBe(first.chain)
  // The stored certificate is the served one: a process that starts now begins with it.
  expect((await kept(name)).pair?.cert).toBe(chain)
  await at.close()
})

test('an IP address gets a certificate as a name does', async () => {
  const at = await listen(address)
  await at.order()
  expect(await orderOf(address)).toMatchObject({ detail: '', attempts: 0 })
  await expect
    .poll(() => at.secure().catch(() => undefined), patience)
    .toMatchObject({
      names: `IP Address:${address}`,
    })
  await at.close()
})

test('a certificate from files is served as soon as it is usable, and none is ordered', async () => {
  const { pair } = await kept(address)
  const [certificate, key] = ['crt.pem', 'key.pem'].map((file) => join(server.services.env.dataFolder, file))
  const files = { certificate: certificate!, key: key! }
  writeFileSync(files.certificate, 'nothing yet')
  writeFileSync(files.key, pair!.key)
  const at = await listen(name, { files })
  await expect(at.secure()).rejects.toThrow()
  writeFileSync(files.certificate, pair!.cert)
  await expect.poll(() => at.secure().catch(() => undefined), patience).toMatchObject({ status: 200 })
  await at.order()
  expect(await orderOf(name)).toBeUndefined()
})
