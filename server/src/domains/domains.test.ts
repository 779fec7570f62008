import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let site: number
beforeAll(async () => {
  server = await makeTestServer({ allowOrigins: ['127.0.0.1/32'] })
  as = await server.signIn('user', 'customer')
  site = await server.makeSite(as, 'shop')
})
afterAll(() => server.stop())

const add = (name: unknown, upstreams: unknown = [{ ip: '198.41.0.4', port: 443, tls: true }], by = as, of = site) =>
  server.call('POST', `/user/site/${of}/domains`, { as: by, body: { domains: [{ name, upstreams }] } })

describe('a domain', () => {
  test('is added with its origins, and shows what its DNS must contain', async () => {
    expect((await add('Www.Example.com.')).status).toBe(200)
    const { data } = (await server.call('GET', `/user/site/${site}/domains?keywords=www`, { as })).body
    expect(data[0]).toMatchObject({
      name: 'www.example.com',
      status: 1,
      upstreams: [{ ip: '198.41.0.4', port: 443, tls: true, weight: 1 }],
      ownership: { state: 'pending', recordName: '_breakwater.www.example.com' },
    })
    expect(data[0].cname).toMatch(/^s[0-9a-f]{16}\.g[0-9a-f]{12}\.edge\.example\.net$/)
    const settings = await server.call('GET', `/user/site/${site}/domain/settings?domainName=www.example.com`, { as })
    expect(settings.body.data).toMatchObject({ name: 'www.example.com', modules: { customHeader: 0 } })
  })

  test.each([
    ['my_site.com', 'invalid_sld_underscore'],
    ['example.c', 'invalid_tld'],
    ['localhost', 'invalid_format'],
    [42, 'invalid_type'],
  ])('%s is rejected with a reason at its field', async (name, reason) => {
    const { status, body } = await add(name)
    expect([status, body.code, body.extra]).toEqual([400, 101003, [{ field: 'domains.0.name', reason }]])
  })

  test('twice on a site is one error with the name, and nothing of the call is saved', async () => {
    const domains = ['fresh.example.com', 'www.example.com'].map((name) => ({
      name,
      upstreams: [{ ip: '198.41.0.4', port: 80 }],
    }))
    const { status, body } = await server.call('POST', `/user/site/${site}/domains`, { as, body: { domains } })
    expect([status, body.code]).toEqual([400, 101009])
    expect(body.errors).toEqual([{ code: 101025, message: 'Duplicated data', targets: ['www.example.com'] }])
    expect((await server.call('GET', `/user/site/${site}/domains?keywords=fresh`, { as })).body.total).toBe(0)
  })

  test('that another customer serves is refused without saying whose it is', async () => {
    await add('taken.example.com')
    await server.services.database.pool.query(
      "update domains set ownership = 'proven' where name = 'taken.example.com'",
    )
    await server.makeCustomer('rival')
    const rival = await server.signIn('user', 'rival')
    const rivalSite = await server.makeSite(rival, 'rivals')
    const { body } = await add('taken.example.com', undefined, rival, rivalSite)
    expect(body.errors).toEqual([
      { code: 401001, message: 'Unable To Enable Duplicate Domains', targets: ['taken.example.com'] },
    ])
    expect(JSON.stringify(body)).not.toMatch(/customer|shop/)
  })

  test('keeps one enabled origin, and refuses an update based on an outdated state', async () => {
    await add('origins.example.com')
    const [domain] = (await server.call('GET', `/user/site/${site}/domains?keywords=origins`, { as })).body.data
    const of = `/user/site/${site}/domain/${domain.id}`
    const { id } = domain.upstreams[0]
    expect((await server.call('DELETE', `${of}/upstreams`, { as, body: { ids: [id] } })).body.code).toBe(401008)
    expect(
      (await server.call('PUT', `${of}/upstream`, { as, body: { id, ip: '198.41.0.4', port: 80, enabled: false } }))
        .body.code,
    ).toBe(401008)
    const { data } = (await server.call('GET', `${of}/upstreams`, { as })).body
    const { health: _, ...seen } = data[0]
    const put = (body: object) => server.call('PUT', `${of}/upstream`, { as, body })
    expect((await put({ ...seen, weight: 7, basedOn: seen })).status).toBe(200)
    expect((await put({ ...seen, memo: 'second', basedOn: seen })).body.extra).toEqual([
      { field: 'basedOn', reason: 'changedMeanwhile' },
    ])
    expect((await put({ ...seen, basedOn: { ...seen, weight: 7 } })).status).toBe(200)
    expect((await server.call('GET', `${of}/upstreams`, { as })).body).toMatchObject({
      total: 1,
      data: [{ enabled: true, port: 443 }],
    })
  })
})

describe('an origin', () => {
  test.each([
    '10.0.0.1',
    '127.0.0.2',
    '169.254.169.254',
    '192.168.1.1',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::a00:1',
    'localhost',
    'db.internal',
    'x.localhost',
  ])('on %s is refused, and the error says whom to ask', async (ip) => {
    const { status, body } = await add('private.example.com', [{ ip, port: 80 }])
    expect([status, body.code]).toEqual([400, 101003])
    expect(body.extra[0]).toMatchObject({ field: 'domains.0.upstreams.0.ip', reason: 'privateOrigin' })
    // Settings on the operator's machines are none of a customer's business.
    expect(body.extra[0].hint).toMatch(/^Ask the operator/)
    expect(JSON.stringify(body)).not.toContain('BREAKWATER_')
  })

  test('in a private network is refused; the operator is told which variable allows it', async () => {
    const operator = await server.signIn('client', 'operator')
    const path = `/client/site/${site}/domains`
    const upstreams = [{ ip: '10.0.0.1', port: 80 }]
    const { body } = await server.call('POST', path, {
      as: operator,
      body: { domains: [{ name: 'private.example.com', upstreams }] },
    })
    expect(body.extra[0].hint).toContain('BREAKWATER_ALLOW_ORIGINS')
  })

  test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', 'a b', 'http://x', 'x/y', '', '[::1]x'])(
    '%s is neither an address nor a name',
    async (ip) => {
      const { status, body } = await add('odd.example.com', [{ ip, port: 80 }])
      expect([status, body.code]).toEqual([400, 101003])
    },
  )

  test('in a network that the operator allows is accepted', async () => {
    expect((await add('allowed.example.com', [{ ip: '127.0.0.1', port: 80 }])).status).toBe(200)
  })

  test('is probed once, without following redirects, and never in a closed network', async () => {
    const seen: string[] = []
    const origin = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.host}`)
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    })
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    const { port } = origin.address() as AddressInfo
    const probe = async (body: object) =>
      (await server.call('POST', `/user/site/${site}/origin/probe`, { as, body })).body.data
    expect(await probe({ ip: '127.0.0.1', port, hostHeader: 'shop.example.com' })).toMatchObject({
      reachable: true,
      status: 302,
      detail: 'ok',
    })
    expect(seen).toEqual(['HEAD shop.example.com'])
    expect(await probe({ ip: '127.0.0.2', port })).toMatchObject({ reachable: false, detail: 'private' })
    expect(await probe({ ip: 'localhost', port: 1 })).toMatchObject({ reachable: false })
    await new Promise((resolve) => origin.close(resolve))
    expect(await probe({ ip: '127.0.0.1', port })).toMatchObject({ reachable: false, detail: 'refused' })
  })
})

describe('the origin credential', () => {
  test('is write-only, and published by name and version', async () => {
    const of = `/user/site/${site}/setting/originCredential`
    await server.call('PUT', of, { as, body: { header: 'X-Origin-Key', value: 'tell-nobody-42' } })
    expect((await server.call('GET', of, { as })).body.data).toEqual({
      header: 'X-Origin-Key',
      isSet: true,
      version: 1,
    })
    const { pool } = server.services.database
    for (const table of ['audit', 'parts', 'revisions', 'objects', 'sites', 'secrets']) {
      const { rows } = await pool.query(`select t::text as text from ${table} t`)
      for (const { text } of rows) {
        expect(text).not.toContain('tell-nobody-42')
        expect(text).not.toContain(Buffer.from('tell-nobody-42').toString('hex'))
      }
    }
    const { rows } = await pool.query(
      'select o.bytes from feed_entries f join objects o on o.hash = f.artefact where f.site_id = $1',
      [site],
    )
    expect(JSON.parse(rows[0].bytes.toString()).secrets).toEqual({ originCredential: 'originCredential@1' })
  })

  test('a value with a line break is rejected', async () => {
    const { status } = await server.call('PUT', `/user/site/${site}/setting/originCredential`, {
      as,
      body: { header: 'X-A', value: 'long-enough\r\nX-B: 1' },
    })
    expect(status).toBe(400)
  })
})

describe('row-level security', () => {
  test('a caller’s own query without any filter only sees its tenant', async () => {
    const { withCaller } = await import('../db/database.ts')
    const { database } = server.services
    const { rows } = await database.pool.query("select tenant_id from accounts where account = 'rival'")
    const seen = await withCaller(database, { tenantId: rows[0].tenant_id, tier: 'user' }, (db) =>
      db.selectFrom('sites').select('name').execute(),
    )
    expect(seen.map((row) => row.name)).toEqual(['rivals'])
    const attack = withCaller(database, { tenantId: rows[0].tenant_id, tier: 'user' }, (db) =>
      db.insertInto('modules').values({ tenantId: 3, kind: 'customHeaders', name: 'x' }).execute(),
    )
    await expect(attack).rejects.toThrow(/row-level security/)
    const peek = withCaller(database, { tenantId: rows[0].tenant_id, tier: 'user' }, (db) =>
      db.selectFrom('parts').selectAll().execute(),
    )
    await expect(peek).rejects.toThrow(/permission denied/)
  })
})
