/**
 * From another program's configuration to sites: drafted in a separate process, created by the ordinary calls, each
 * completely or not at all.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { ImportDraft, ImportedSite, ImportOutcome } from '@breakwater/contract/import/site-import.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
})
afterAll(() => server.stop())

const at = '/user/sites/import'
const config = readFileSync(join(import.meta.dirname, 'testing/certbot.conf'), 'utf8').replaceAll(
  '203.0.113.',
  '127.0.0.',
)
const draft = (body: object) => server.call('POST', `${at}/draft`, { as, body })
const create = (sites: object[], by = as) => server.call('POST', at, { as: by, body: { sites } })
const outcomesOf = async (sites: object[], by = as): Promise<ImportOutcome[]> => {
  const reply = await create(sites, by)
  expect(reply.status).toBe(200)
  return reply.body.data.outcomes
}

/** The same as a form with files. */
async function upload(fields: Record<string, string | File>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const request = new Request('http://x', { method: 'POST', body: form })
  const reply = await server.app.inject({
    method: 'POST',
    url: `/api/v1${at}/draft`,
    headers: { authorization: `Bearer ${as.accessToken}`, 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: reply.statusCode, body: reply.json() }
}

const domain = (name: string, more: object = {}) => ({ name, upstreams: [{ ip: '127.0.0.9', port: 80 }], ...more })
const namesOf = async (): Promise<string[]> =>
  (await server.call('GET', '/user/sites?pageSize=100', { as })).body.data.map(
    (row: { siteName: string }) => row.siteName,
  )

test('a draft becomes complete sites, each in one revision and with its entry in the audit log', async () => {
  const { status, body } = await draft({ kind: 'nginx', text: config })
  expect(status).toBe(200)
  const { sites } = body.data as ImportDraft
  const outcomes = await outcomesOf(sites.map(({ site }) => site))
  expect(outcomes.map(({ siteName, error }) => [siteName, error])).toEqual([
    ['example.com', null],
    ['files.example.com', null],
  ])
  const of = `/user/site/${outcomes[0]!.siteID}`
  const get = async (path: string) => (await server.call('GET', `${of}${path}`, { as })).body.data
  expect((await get('')).revision).toBe(2)
  const domains = await get('/domains')
  expect(domains.map((row: Record<string, unknown>) => [row.name, row.status, row.forceSSL]).sort()).toEqual([
    ['example.com', 1, true],
    ['example.org', 1, false],
    ['www.example.com', 1, true],
  ])
  expect(await get('/setting')).toMatchObject({ maxBodySize: 52_428_800, timeout: 300, gzip: true })
  expect(await get('/setting/originTimeouts')).toMatchObject({ connect: 10, idle: 300 })
  expect(await get('/setting/gzip')).toMatchObject({ level: 6, minLength: 256 })
  expect(await get('/setting/tls')).toMatchObject({ profile: 'modern', hstsSeconds: 31_536_000 })
  expect(await get('/setting/caches')).toMatchObject([{ type: 'extension', ttl: 2_592_000 }])
  expect(await get('/firewall/l7/blacklists')).toMatchObject([{ urlRegex: '^/admin/' }, { urlRegex: '/\\.ht' }])
  const modules = await get('/module/urlRedirects')
  expect(modules).toMatchObject([
    { name: 'example.com 1', domainCount: 2 },
    { name: 'example.com 2', domainCount: 1 },
  ])
  expect(await get(`/module/urlRedirect/${modules[0].id}/rules`)).toHaveLength(3)
  expect(await get('/module/proxyRewrites')).toMatchObject([{ domainCount: 2 }])
  expect(await get('/module/customHeaders')).toMatchObject([{ domainCount: 3 }])
  const { rows } = await server.services.database.pool.query(
    "select action, site_id, detail from audit where action like 'user.site%import' order by id",
  )
  expect(rows.map(({ action, site_id }) => [action, site_id])).toEqual([
    ['user.site.import', outcomes[0]!.siteID],
    ['user.site.import', outcomes[1]!.siteID],
    ['user.sites.import', null],
  ])
  expect(rows[2].detail).toMatchObject({ refused: 0 })
})

test('a rejected site is reported with its field and leaves nothing behind; the others are created', async () => {
  const before = await namesOf()
  const redirects = [
    {
      domains: ['loop.example.net'],
      items: [
        { urlRegex: '^/a', target: '/b' },
        { urlRegex: '^/b', target: '/a' },
      ],
    },
  ]
  const outcomes = await outcomesOf([
    { siteName: 'first', domains: [domain('first.example.net')] },
    {
      siteName: 'private',
      domains: [domain('ok.example.net'), domain('p.example.net', { upstreams: [{ ip: '10.0.0.1', port: 80 }] })],
    },
    { siteName: 'bare', domains: [{ name: 'bare.example.net', upstreams: [], status: 1 }] },
    { siteName: 'twice', domains: [domain('t.example.net'), domain('t.example.net')] },
    { siteName: 'loop', domains: [domain('loop.example.net')], urlRedirects: redirects },
    {
      siteName: 'stranger',
      domains: [domain('s.example.net')],
      proxyRewrites: [{ domains: ['x.example.net'], items: [{ urlRegex: '^/a', target: '/b' }] }],
    },
    { siteName: 'last', domains: [domain('last.example.net')] },
  ])
  expect(
    outcomes.map(({ siteName, siteID, error }) => [siteName, siteID > 0, error?.code, error?.details[0]?.field]),
  ).toEqual([
    ['first', true, undefined, undefined],
    ['private', false, 101003, 'sites.1.domains.1.upstreams.0.ip'],
    ['bare', false, 401008, undefined],
    ['twice', false, 101009, undefined],
    ['loop', false, 101003, expect.stringMatching(/^sites\.4\.urlRedirects\.0/)],
    ['stranger', false, 101003, 'sites.5.proxyRewrites.0.domains.0'],
    ['last', true, undefined, undefined],
  ])
  expect(outcomes[3]!.error!.errors).toMatchObject([{ code: 101025, targets: ['t.example.net'] }])
  expect((await namesOf()).sort()).toEqual([...before, 'first', 'last'].sort())
  const { rows } = await server.services.database.pool.query("select name from domains where name = 'ok.example.net'")
  expect(rows).toEqual([])
})

test('an invalid body is rejected as a whole, at its field', async () => {
  const before = await namesOf()
  const good = { siteName: 'good', domains: [domain('good.example.net')] }
  const cases: [object[], string][] = [
    [[good, { siteName: '', domains: [domain('a.example.net')] }], 'sites.1.siteName'],
    [[good, { siteName: 'x', domains: [domain('no name')] }], 'sites.1.domains.0.name'],
    [
      [good, { ...good, compression: { enable: true, types: [], minLength: 0, level: 99 } }],
      'sites.1.compression.level',
    ],
    [
      [
        good,
        { ...good, urlRedirects: [{ domains: ['good.example.net'], items: [{ urlRegex: '(a+)+', target: '/b' }] }] },
      ],
      'sites.1.urlRedirects.0.items.0.urlRegex',
    ],
    [[good, { ...good, lua: 'os.exit()' }], 'sites.1.lua'],
    [Array.from({ length: 51 }, () => good), 'sites'],
  ]
  for (const [sites, field] of cases) {
    const { status, body } = await create(sites)
    expect([status, body.extra[0].field]).toEqual([400, field])
  }
  expect(await namesOf()).toEqual(before)
})

test('somebody who may create sites but not domains cannot import any', async () => {
  await makePerson(server, 'maker', {
    console: 'user',
    as,
    permissions: ['sites.read', 'sites.create'],
    body: { allSites: true },
  })
  const [outcome] = await outcomesOf(
    [{ siteName: 'without', domains: [domain('without.example.net')] }],
    await signInPerson(server, 'user', 'maker'),
  )
  expect(outcome).toMatchObject({ siteID: 0, error: { code: 101018 } })
  expect(await namesOf()).not.toContain('without')
})

test('files up to 10 MiB are read, if of the declared kind; origins in private networks are noted', async () => {
  const file = (bytes: string | Buffer) => new File([bytes as never], 'x')
  const read = await upload({
    kind: 'csv',
    file: file('site,name,origins\nShop,shop.example.org,192.168.1.5:8080\nShop,b.example.org,nas\n'),
  })
  expect(read.status).toBe(200)
  const [shop] = (read.body.data as ImportDraft).sites as { site: ImportedSite; notes: ImportDraft['notes'] }[]
  expect(shop!.site.siteName).toBe('Shop')
  expect(shop!.notes).toMatchObject([
    { text: '192.168.1.5', reason: 'privateOrigin' },
    { text: 'nas', reason: 'privateOrigin' },
  ])
  for (const [fields, field, reason] of [
    [{ kind: 'nginxProxyManager', file: file('server { }') }, 'file', 'wrongFormat'],
    [{ kind: 'nginx', file: file(Buffer.from([0x50, 0x4b, 3, 4, 0, 255])) }, 'file', 'wrongFormat'],
    [
      { kind: 'cloudflare', file: file('a.example.org. 1 IN A 203.0.113.1'), rules: file(Buffer.from([0, 255])) },
      'rules',
      'wrongFormat',
    ],
    [{ kind: 'nginx', file: file(Buffer.alloc(10_485_761, 32)) }, 'file', 'fileTooLarge'],
    [{ kind: 'apache', file: file('x') }, 'kind', 'wrongFormat'],
    [{ kind: 'nginx' }, 'file', 'required'],
  ] as const) {
    const { status, body } = await upload(fields)
    expect([status, body.extra]).toEqual([400, [{ field, reason }]])
  }
  expect((await draft({ kind: 'nginx', text: ' '.repeat(1_100_000) })).status).toBe(413)
  expect((await draft({ kind: 'nginx', text: 'server {\n "' })).body.data).toMatchObject({
    sites: [],
    notes: [{ line: 2, reason: 'syntax' }],
  })
})
