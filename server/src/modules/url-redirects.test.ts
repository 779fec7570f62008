/** URL redirects through the calls of a module family: shared, bound, limited per bound site, published, restored. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) => server.call(method, path, { as, body })
const must = async (method: string, path: string, body?: unknown) => {
  const reply = await call(method, path, body)
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}
async function makeShop(name: string) {
  const of = `/user/site/${await server.makeSite(as, name)}`
  const upstreams = [{ ip: '127.0.0.1', port: 80 }]
  await must('POST', `${of}/domains`, { domains: [{ name: `${name}.example.com`, upstreams }] })
  const [domain] = await must('GET', `${of}/domains`)
  return { of, domain: domain.id as number, site: Number(of.split('/').at(-1)) }
}
const makeModule = async (of: string, name = 'moved') =>
  (await must('POST', `${of}/module/urlRedirects`, { modules: [{ name }] })).ids[0] as number
const bind = (shop: { of: string; domain: number }, moduleID: number) =>
  call('PUT', `${shop.of}/domains/module/urlRedirect`, { domainIDs: [shop.domain], moduleID })

/** The redirects that nodes get for a site's preview host. */
async function published(site: number) {
  const { pool } = server.services.database
  const read = async (hash: Buffer) =>
    JSON.parse((await pool.query('select bytes from objects where hash = $1', [hash])).rows[0].bytes.toString())
  const { rows } = await pool.query('select artefact from feed_entries where site_id = $1', [site])
  const artefact = await read(rows[0].artefact)
  const [hash] = artefact.domains[0].urlRedirects ?? []
  return { requires: artefact.requires, part: hash && (await read(Buffer.from(hash, 'hex'))) }
}

test('rules of a module are published to every bound domain, in order of priority', async () => {
  const [one, two] = [await makeShop('one'), await makeShop('two')]
  const moduleID = await makeModule(one.of)
  const rules = `${one.of}/module/urlRedirect/${moduleID}/rules`
  const { ids } = await must('POST', rules, {
    items: [
      { urlRegex: '^/shop/(.*)$', target: 'https://shop.example.com/$1', statusCode: 308, priority: 20 },
      { urlRegex: '^/old\\.html$', target: '/new', keepQuery: false, priority: 10 },
      { urlRegex: '^/blog/', target: '/news/', enabled: false },
    ],
  })
  for (const shop of [one, two]) expect((await bind(shop, moduleID)).status).toBe(200)
  for (const shop of [one, two]) {
    const { requires, part } = await published(shop.site)
    expect(requires).toEqual(['urlRedirects'])
    expect(part.rules).toEqual([
      { id: ids[1], match: 'exact', value: '/old.html', target: '/new', status: 301, keepQuery: false },
      {
        ...{ id: ids[0], match: 'regex', value: '^/shop/(.*)$', target: 'https://shop.example.com/$1' },
        ...{ status: 308, keepQuery: true },
      },
    ])
  }
  await must('PUT', `${one.of}/module/urlRedirect/${moduleID}/rule`, {
    id: ids[2],
    urlRegex: '^/blog/',
    target: '/news/',
  })
  expect((await published(two.site)).part.rules).toHaveLength(3)
  expect((await must('GET', `${one.of}/domain/settings?domainName=one.example.com`)).modules.urlRedirect).toBe(moduleID)
  expect((await call('GET', rules)).body.total).toBe(3)
  const [row] = await must('GET', `${one.of}/module/urlRedirects`)
  expect(row).toMatchObject({ id: moduleID, name: 'moved', ruleCount: 3, domainCount: 2 })
  await must('PUT', `${one.of}/module/urlRedirect`, { id: moduleID, name: 'renamed', memo: 'note' })
  expect((await must('GET', `${one.of}/module/urlRedirects`))[0]).toMatchObject({ name: 'renamed', memo: 'note' })
  expect((await call('DELETE', `${one.of}/module/urlRedirects`, { ids: [moduleID] })).body.extra).toBe('module in use')
})

test('removing rules, cache rules, tokens and modules again succeeds, and changing what is gone is 404', async () => {
  const shop = await makeShop('twice')
  const blacklists = `${shop.of}/firewall/l7/blacklists`
  const { id: deny } = await must('POST', blacklists, { ips: ['198.51.100.9'] })
  const { id: cache } = await must('POST', `${shop.of}/setting/caches`, { type: 'path', values: ['/x'], ttl: 60 })
  const { id: token } = await must('POST', '/apiToken', { name: 'twice', permissions: ['sites.read'] })
  const moduleID = await makeModule(shop.of, 'twice')
  const removals = [
    [blacklists, deny],
    [`${shop.of}/setting/caches`, cache],
    ['/apiTokens', token],
    [`${shop.of}/module/urlRedirects`, moduleID],
  ] as const
  for (const [path, id] of [...removals, ...removals]) {
    const { status, body } = await call('DELETE', path, { ids: [id] })
    expect([path, status, body]).toEqual([path, 200, {}])
  }
  const changes = [
    ['PUT', `${shop.of}/firewall/l7/blacklist`, { id: deny, ips: ['198.51.100.9'] }],
    ['PUT', `${shop.of}/setting/cache`, { id: cache, type: 'path', values: ['/x'], ttl: 60 }],
    ['PUT', `${shop.of}/module/urlRedirect`, { id: moduleID, name: 'x' }],
    ['GET', `${shop.of}/module/urlRedirect/${moduleID}/rules`, undefined],
  ] as const
  const site = { siteID: shop.site, siteName: 'twice' }
  const ofGone = async (method: string, path: string, body?: unknown) => {
    const { status, body: said } = await call(method, path, body)
    expect([path, status, said.code]).toEqual([path, 404, 101018])
  }
  for (const [method, path, body] of changes) await ofGone(method, path, body)
  await must('DELETE', '/user/site', site)
  await ofGone('DELETE', '/user/site', site)
  await ofGone('GET', shop.of)
  await ofGone('GET', `${shop.of}/domains`)
})

test('a restore binds a domain again', async () => {
  const shop = await makeShop('restored')
  const moduleID = await makeModule(shop.of)
  await bind(shop, moduleID)
  await bind(shop, 0)
  await must('POST', `${shop.of}/history/restore`, { revision: 3 })
  expect((await must('GET', `${shop.of}/domain/settings?domainName=restored.example.com`)).modules.urlRedirect).toBe(
    moduleID,
  )
})

test('3,000 redirects count over all modules that a site is bound to, and the 3,001st is rejected', async () => {
  const shop = await makeShop('limit')
  const upstreams = [{ ip: '127.0.0.1', port: 80 }]
  await must('POST', `${shop.of}/domains`, { domains: [{ name: 'limit2.example.com', upstreams }] })
  const all = (await must('GET', `${shop.of}/domains`)) as { id: number; name: string }[]
  const other = { of: shop.of, domain: all.find(({ name }) => name === 'limit2.example.com')!.id }
  const [first, second] = [await makeModule(shop.of, 'first'), await makeModule(shop.of, 'second')]
  const fill = (module: number, count: number) =>
    server.services.database.pool.query(
      `insert into rules (tenant_id, module_id, kind, sort, body)
       select tenant_id, id, kind, 100, jsonb_build_object('urlRegex', '^/' || n || '$', 'target', '/x', 'statusCode', 301,
         'keepQuery', true, 'priority', 100) from modules, generate_series(1, $2::int) n where id = $1`,
      [module, count],
    )
  await fill(first, 2000)
  await fill(second, 999)
  await bind(shop, first)
  expect((await bind(other, second)).status).toBe(200)
  const add = (module: number, urlRegex: string) =>
    call('POST', `${shop.of}/module/urlRedirect/${module}/rules`, { items: [{ urlRegex, target: '/y' }] })
  expect((await add(second, '^/last$')).status).toBe(200)
  const refused = await add(first, '^/one-more$')
  expect([refused.status, refused.body.code]).toEqual([409, 205007])
  expect((await call('GET', `${shop.of}/module/urlRedirect/${first}/rules`)).body.total).toBe(2000)
  await bind(other, 0)
  expect((await add(first, '^/one-more$')).status).toBe(200)
  expect((await bind(other, second)).body.code).toBe(205007)
})

test('a redirect that no browser could follow is rejected at its field', async () => {
  const shop = await makeShop('wrong')
  const moduleID = await makeModule(shop.of)
  const add = async (item: object) => {
    const { status, body } = await call('POST', `${shop.of}/module/urlRedirect/${moduleID}/rules`, {
      items: [{ urlRegex: '^/a$', ...item }],
    })
    return [status, body.extra]
  }
  for (const target of ['b', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a b', '/$x', '/a\r\nb: c'])
    expect([target, ...(await add({ target }))]).toEqual([
      target,
      400,
      [{ field: 'items.0.target', reason: 'wrongFormat' }],
    ])
  expect(await add({ target: '/$1' })).toEqual([400, [{ field: 'items.0.target', reason: 'unknownGroup' }]])
  expect(await add({ target: '/b', statusCode: 200 })).toEqual([
    400,
    [{ field: 'items.0.statusCode', reason: 'wrongFormat' }],
  ])
  expect(await add({ target: '/a' })).toEqual([400, [{ field: 'items.0.target', reason: 'redirectLoop' }]])
  expect(await add({ target: '/b' })).toEqual([200, undefined])
})

test('binding is rejected for a module that would lead back to the domain’s own host', async () => {
  const shop = await makeShop('back')
  const moduleID = await makeModule(shop.of)
  await must('POST', `${shop.of}/module/urlRedirect/${moduleID}/rules`, {
    items: [{ urlRegex: '^/a$', target: 'https://back.example.com/a' }],
  })
  expect((await bind(shop, moduleID)).body.extra).toEqual([{ field: 'moduleID', reason: 'redirectLoop' }])
})
