import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeTestServer()
  // The test's event store is created at the first query, which takes longer than health waits for an existing one.
  await server.services.events.ping()
})
afterAll(() => server.stop())

const get = (url: string, options: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  server.app.inject({ method: 'GET', url, ...options })

describe('health', () => {
  test('answers 200 while it serves, without details; a group without a node is degraded', async () => {
    const plain = await get('/health')
    expect([plain.statusCode, plain.json().status]).toEqual([200, 'degraded'])
    const { status, body } = await server.call('GET', '/health')
    expect(status).toBe(200)
    expect(body.data.components.map((part: { name: string }) => part.name)).toEqual(['database', 'events', 'nodes'])
  })
})

test('health returns details to a session or token with the permission, and to no other', async () => {
  const as = await server.signIn('client', 'operator')
  const make = async (permissions: string[]) =>
    (await server.call('POST', '/apiToken', { as, body: { name: 'monitor', permissions } })).body.data.token
  await server.services.database.pool.query(
    `insert into nodes (operator_id, zone_id, group_id, name, seal_key, certificate_serial, last_seen_at)
     select z.operator_id, z.id, g.id, 'silent', '', 'silent', null from zones z join groups g on g.zone_id = z.id limit 1`,
  )
  const detailsFor = async (accessToken: string) => {
    const { body } = await server.call('GET', '/health', { as: { ...as, accessToken } })
    const { components } = body.data ?? {}
    return components.some((part: { detail: string }) => part.detail.includes('silent'))
  }
  expect(await detailsFor(as.accessToken)).toBe(true)
  expect(await detailsFor(await make(['health.read']))).toBe(true)
  expect(await detailsFor(await make(['sites.read']))).toBe(false)
  expect(await detailsFor('bwt_unknown-token-of-nobody')).toBe(false)
})

describe('health with nodes', () => {
  test('is down while no node reports, degraded while one is missing', async () => {
    const away = await makeTestServer()
    await away.services.events.ping()
    const { pool } = away.services.database
    await pool.query(
      `insert into nodes (operator_id, zone_id, group_id, name, seal_key, certificate_serial, last_seen_at)
       select z.operator_id, z.id, g.id, n, '', n, now() from zones z join groups g on g.zone_id = z.id, unnest(array['a', 'b']) n`,
    )
    const status = async () => {
      const { statusCode, body } = await away.app.inject({ method: 'GET', url: '/health' })
      return [statusCode, JSON.parse(body).status]
    }
    expect(await status()).toEqual([200, 'ok'])
    await pool.query("update nodes set last_seen_at = now() - interval '1 minute' where name = 'a'")
    expect(await status()).toEqual([200, 'degraded'])
    await pool.query("update nodes set last_seen_at = null where name = 'b'")
    expect(await status()).toEqual([503, 'down'])
    await away.stop()
  })
})

describe('metrics', () => {
  test('are available to this machine, and to others only with the token', async () => {
    expect((await get('/metrics', { remoteAddress: '127.0.0.1' })).body).toContain('breakwater_call_seconds_count')
    expect((await get('/metrics', { remoteAddress: '192.0.2.1' })).statusCode).toBe(403)
    expect(
      (await get('/metrics', { remoteAddress: '192.0.2.1', headers: { authorization: 'Bearer wrong' } })).statusCode,
    ).toBe(403)
  })
})

describe('the API’s description', () => {
  test('has every call of the contract, and for each console only its own', async () => {
    const whole = (await get('/api/v1/openapi.json')).json()
    expect(Object.keys(whole.paths)).toContain('/user/site/{siteId}/firewall/l7/secondRates')
    expect(Object.keys(whole.paths)).toContain('/client/zone/{zoneId}/nodes')
    const user = Object.keys((await get('/api/v1/user/openapi.json')).json().paths)
    expect(user.filter((path) => path.startsWith('/client') || path.startsWith('/admin'))).toEqual([])
    const create = whole.paths['/user/site/{siteId}/firewall/l7/secondRates'].post
    expect(create.requestBody.content['application/json'].schema.required).toEqual(
      expect.arrayContaining(['urlRegex', 'rate', 'burst']),
    )
    expect(create['x-permission']).toBe('firewall.write')
  })

  test('its page loads nothing from elsewhere', async () => {
    const page = await get('/api/v1/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.body.match(/(?:src|href)="https?:[^"]*"/g)).toBeNull()
  })
})

describe('every reply', () => {
  test('has a request id, is never cached, and is JSON even for an error', async () => {
    const { headers, body } = await server.call('GET', '/user/sites')
    expect(headers['x-request-id']).toBe(body.requestId)
    expect(headers['content-type']).toContain('application/json')
    const as = await server.signIn('user', 'customer')
    expect((await server.call('GET', '/user/sites', { as })).headers['cache-control']).toBe('no-store')
  })
})

describe('the vendor’s console switched off', () => {
  test('answers as if it did not exist', async () => {
    const closed = await makeTestServer({ adminConsoleEnabled: false })
    const { status, body } = await closed.call('GET', '/admin/logo')
    expect([status, body.code]).toEqual([404, 101004])
    expect((await closed.call('GET', '/user/logo')).status).toBe(200)
    await closed.stop()
  })
})

describe('the built console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-console-'))
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries({
    ...{ 'index.html': '<title>console</title>', 'favicon.svg': '<svg/>' },
    ...{ 'assets/start-1.js': 'start()', 'assets/start-1.js.br': 'packed' },
  }))
    writeFileSync(join(folder, name), text)
  let console: TestServer
  beforeAll(async () => {
    console = await makeTestServer({ consoleFolder: folder })
  })
  afterAll(async () => {
    await console?.stop()
    rmSync(folder, { recursive: true })
  })
  const load = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' | 'HEAD' = 'GET') => {
    const { statusCode, body, headers: told } = await console.app.inject({ method, url, headers })
    return { status: statusCode, body, told }
  }

  test('serves its files with a cache lifetime of a year, compressed if the build compressed them', async () => {
    const plain = await load('/assets/start-1.js')
    expect([plain.status, plain.body, plain.told['cache-control']]).toEqual([
      ...[200, 'start()', 'public, max-age=31536000, immutable'],
    ])
    expect(plain.told['content-security-policy']).toContain("default-src 'self'")
    const packed = await load('/assets/start-1.js', { 'accept-encoding': 'gzip, br' })
    expect([packed.body, packed.told['content-encoding']]).toEqual(['packed', 'br'])
    expect((await load('/favicon.svg')).told['content-type']).toContain('image/svg+xml')
    expect((await load('/assets/start-1.js', {}, 'HEAD')).status).toBe(200)
  })

  test.each(['/', '/user/dashboard', '/user/sitesManagement/sitesSetting/1/shop.example.com?tab=domains', '/user'])(
    'serves its page at %s, which is never cached',
    async (url) => {
      const { status, body, told } = await load(url)
      expect([status, body, told['cache-control']]).toEqual([200, '<title>console</title>', 'no-cache'])
      expect(told['content-security-policy']).toContain("default-src 'self'")
    },
  )

  test.each(['/assets/start-2.js', '/../package.json', '/assets/..%2f..%2fpackage.json', '/api/v1/nothing'])(
    'has nothing at %s',
    async (url) => {
      const { status, told } = await load(url)
      expect([status, String(told['content-type'])]).toEqual([404, expect.stringContaining('application/json')])
    },
  )

  test('answers 404 to a POST', async () => {
    expect((await load('/user/dashboard', {}, 'POST')).status).toBe(404)
  })
})
