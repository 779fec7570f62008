import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { readDomains } from '@breakwater/contract/domains/domain-csv.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let site: number
let of: string
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.openSession('user', 'customer')
  site = await server.makeSite(as, 'bulk')
  of = `/user/site/${site}`
  await server.services.database.pool.query(
    `update sites set limitations = '{"domains":5000,"ports":0,"trafficBytes":0}' where id = $1`,
    [site],
  )
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) => server.call(method, `${of}${path}`, { as, body })
const origin = { ip: '198.41.0.4', port: 80 }
const add = async (names: string[], upstreams: unknown[] = [origin], to = of): Promise<number[]> => {
  const body = { names, ...(upstreams.length > 0 && { upstreams }) }
  const reply = await server.call('POST', `${to}/simpleDomains`, { as, body })
  expect([reply.status, reply.body.code]).toEqual([200, undefined])
  return reply.body.data.ids
}
const named = async (name: string, at = of) =>
  (await server.call('GET', `${at}/domains?keywords=${name}`, { as })).body.data[0]
const revision = async () => (await server.call('GET', `/user/site/${site}`, { as })).body.data.revision

describe('a thousand names', () => {
  test('are added in one call as one revision, including IDNs and wildcards, and removed by their names', async () => {
    const before = await revision()
    const names = ['bücher.example', '*.wild.example', ...Array.from({ length: 998 }, (_, n) => `n${n}.many.example`)]
    expect(await add(names)).toHaveLength(1000)
    expect(await revision()).toBe(before + 1)
    expect((await named('xn--bcher-kva.example')).status).toBe(1)
    expect((await named(encodeURIComponent('bücher'))).name).toBe('xn--bcher-kva.example')
    expect((await call('GET', '/domains?keywords=many')).body.total).toBe(998)
    expect((await call('GET', '/metaDomains?keyword=many')).body).toMatchObject({ total: 500, isMore: true })
    const gone = await call('DELETE', '/domainsByNames', { names: [...names.slice(0, 999), 'never.was.example'] })
    expect(gone.status).toBe(200)
    expect((await call('GET', '/domains')).body.total).toBe(1)
  })

  test('and one more are rejected, and invalid names each with their own reason', async () => {
    const many = Array.from({ length: 1001 }, (_, n) => `n${n}.example.com`)
    expect((await call('POST', '/simpleDomains', { names: many })).body.code).toBe(101029)
    const bad = { names: ['ok.example.com', 'a.*.b.com', 'x_y.com', 'a.c', 7] }
    const { code, extra } = (await call('POST', '/simpleDomains', bad)).body
    expect([code, extra]).toEqual([
      101003,
      [
        { field: 'names.1', reason: 'invalid_format' },
        { field: 'names.2', reason: 'invalid_sld_underscore' },
        { field: 'names.3', reason: 'invalid_tld' },
        { field: 'names.4', reason: 'invalid_type' },
      ],
    ])
    expect((await call('DELETE', '/domains', { ids: many.map((_, n) => n + 1) })).body.code).toBe(101029)
  })

  test('are rejected together if one of them is', async () => {
    await add(['there.example.com'])
    const reply = await call('POST', '/simpleDomains', { names: ['new.example.com', 'there.example.com'] })
    expect([reply.body.code, reply.body.errors]).toEqual([
      101009,
      [{ code: 101025, message: 'Duplicated data', targets: ['there.example.com'] }],
    ])
    expect((await call('GET', '/domains?keywords=new.example')).body.total).toBe(0)
  })
})

describe('several domains', () => {
  test('are disabled without origins, and can be enabled once each has one', async () => {
    const ids = await add(['bare-a.example.com', 'bare-b.example.com'], [])
    expect((await named('bare-a')).status).toBe(0)
    const enable = () => call('PUT', '/domain/setting/status', { ids, status: 1 })
    const { errors } = (await enable()).body
    expect(errors[0].targets.sort()).toEqual(['bare-a.example.com', 'bare-b.example.com'])
    expect(errors[0].code).toBe(401008)
    expect((await call('PUT', '/domains/upstreams', { ids, upstreams: [origin] })).status).toBe(200)
    expect((await enable()).status).toBe(200)
    expect((await named('bare-b')).status).toBe(1)
    const off = { ids, upstreams: [{ ...origin, enabled: false }] }
    expect((await call('PUT', '/domains/upstreams', off)).body.code).toBe(401008)
    const unknown = await call('PUT', '/domain/setting/status', { ids: [...ids, 999_999], status: 0 })
    expect(unknown.body.errors).toEqual([{ code: 101018, message: 'Permission Denied', targets: ['999999'] }])
  })

  test('get tags, a balance and a new origin address, each as one revision', async () => {
    const ids = await add(['one.together.example', 'two.together.example'])
    const before = await revision()
    expect((await call('PUT', '/domain/setting/tags', { ids, tags: ['Shop', 'shop', 'eu'] })).status).toBe(200)
    expect((await call('PATCH', '/domain/setting/balance', { ids, balance: 5 })).status).toBe(200)
    expect((await call('PATCH', '/domain/setting/balance', { ids, balance: 6 })).body.code).toBe(101003)
    const moved = await call('PUT', '/domains/modifyUpstreamIPs', { ids, fromIP: '198.41.0.4', toIP: '198.41.0.5' })
    expect(moved.body.data).toEqual({ changed: 2 })
    expect(await revision()).toBe(before + 3)
    expect(await named('one.together')).toMatchObject({
      tags: ['Shop', 'eu'],
      balance: 5,
      upstreams: [{ ip: '198.41.0.5' }],
    })
    const private_ = await call('PUT', '/domains/modifyUpstreamIPs', { ids, fromIP: '198.41.0.5', toIP: '10.0.0.1' })
    expect(private_.body.extra[0]).toMatchObject({ field: 'toIP', reason: 'privateOrigin' })
    expect((await call('GET', '/domains?tags=shop')).body.total).toBe(2)
  })

  test('can only be renamed while their ownership is unproven', async () => {
    const [id] = await add(['old-name.example.com'])
    expect((await call('PUT', '/domain', { id, name: 'new-name.example.com', tags: ['t'] })).status).toBe(200)
    expect(await named('new-name')).toMatchObject({ id, tags: ['t'], status: 1 })
    expect((await call('PUT', '/domain', { id, name: 'one.together.example' })).body.code).toBe(101025)
    await server.services.database.pool.query("update domains set ownership = 'proven' where id = $1", [id])
    expect((await call('PUT', '/domain', { id, name: 'other.example.com' })).body.extra).toEqual([
      { field: 'name', reason: 'ownerIsProven' },
    ])
    expect((await call('PUT', '/domain', { id, status: 0 })).status).toBe(200)
  })

  test('are created from another domain, with its origins and balance', async () => {
    const [id] = await add(['pattern.example.com'])
    await call('PATCH', '/domain/setting/balance', { ids: [id], balance: 3 })
    const made = await call('POST', '/domains/createFrom', {
      domainID: id,
      names: ['copy1.example.com', 'copy2.example.com'],
    })
    expect(made.body.data.ids).toHaveLength(2)
    expect(await named('copy2')).toMatchObject({ balance: 3, upstreams: [{ ip: '198.41.0.4' }], status: 1 })
  })

  test('are copied to another of the customer’s sites, disabled, with their proof; above the limit, none', async () => {
    const other = await server.makeSite(as, 'target')
    const ids = await add(['c1.copied.example', 'c2.copied.example'])
    await server.services.database.pool.query("update domains set ownership = 'proven' where id = $1", [ids[0]])
    const copy = (siteID: number) => call('POST', '/domains/copyToSite', { ids, siteID })
    await server.services.database.pool.query(
      `update sites set limitations = '{"domains":1,"ports":0,"trafficBytes":0}' where id = $1`,
      [other],
    )
    expect((await copy(other)).body.code).toBe(401002)
    await server.services.database.pool.query(
      `update sites set limitations = '{"domains":9,"ports":0,"trafficBytes":0}' where id = $1`,
      [other],
    )
    expect((await copy(other)).status).toBe(200)
    const there = await named('c1.copied', `/user/site/${other}`)
    expect(there).toMatchObject({ status: 0, ownership: { state: 'proven' }, upstreams: [{ ip: '198.41.0.4' }] })
    const enable = () =>
      server.call('PUT', `/user/site/${other}/domain/setting/status`, { as, body: { ids: [there.id], status: 1 } })
    expect((await enable()).body.code).toBe(401001)
    await call('PUT', '/domain/setting/status', { ids: [ids[0]], status: 0 })
    expect((await enable()).status).toBe(200)
    await server.makeCustomer('stranger')
    const stranger = await server.openSession('user', 'stranger')
    const foreign = await server.makeSite(stranger, 'foreign')
    expect((await copy(foreign)).body.code).toBe(101018)
    expect((await copy(site)).body.extra).toEqual([{ field: 'siteID', reason: 'theSameSite' }])
  })

  test('are exported to a file that can be imported again unchanged', async () => {
    const [id] = await add(['*.sheet.example'], [{ ...origin, weight: 3, memo: '=cmd' }])
    await call('PUT', '/domain/setting/tags', { ids: [id], tags: ['=1+1', 'a|b'] })
    const file = await call('POST', '/domains/export', { ids: [id] })
    expect(file.headers['content-disposition']).toContain(`domains-${site}.csv`)
    const read = readDomains(String(file.body))
    expect(read).toHaveLength(1)
    expect(read[0]).toMatchObject({ name: '*.sheet.example', tags: ['=1+1', 'a|b'] })
    const before = await named(encodeURIComponent('*.sheet'))
    await call('DELETE', '/domains', { ids: [id] })
    expect((await call('POST', '/domains', { domains: read })).status).toBe(200)
    const after = await named(encodeURIComponent('*.sheet'))
    const kept = ({ id: _, createdAt: __, updatedAt: ___, ownership: ____, upstreams, ...rest }: typeof before) => ({
      ...rest,
      upstreams: upstreams.map(({ id: _id, ...one }: { id: number }) => one),
    })
    expect(kept(after)).toEqual(kept(before))
  })
})

describe('domains of several sites', () => {
  test('are found by part of the name, by tag and by site, and only one’s own', async () => {
    await add(['find-me.directory.example'])
    const ids = await server.call('GET', '/user/domains/ids?name=find-me', { as })
    expect(ids.body).toMatchObject({
      total: 1,
      isMore: false,
      data: [{ name: 'find-me.directory.example', siteID: site }],
    })
    const meta = await server.call('POST', '/user/domains/meta', { as, body: { siteIDs: [site], keyword: 'find-me' } })
    expect(meta.body.total).toBe(1)
    const tags = await server.call('POST', '/user/domains/tags', { as, body: { siteIDs: [site] } })
    expect(tags.body.data.map(({ tag }: { tag: string }) => tag)).toContain('eu')
    await server.makeCustomer('nobody')
    const nobody = await server.openSession('user', 'nobody')
    for (const reply of [
      await server.call('GET', '/user/domains/ids?name=find-me', { as: nobody }),
      await server.call('POST', '/user/domains/meta', { as: nobody, body: { siteIDs: [site], keyword: 'find-me' } }),
      await server.call('POST', '/user/domains/tags', { as: nobody, body: { siteIDs: [site] } }),
    ])
      expect(reply.body.data).toEqual([])
    const operator = await server.openSession('client', 'operator')
    const listed = await server.call('GET', `/client/domains?domainName=find-me&siteID=${site}`, { as: operator })
    expect(listed.body.data[0]).toMatchObject({
      domainName: 'find-me.directory.example',
      siteName: 'bulk',
      user: { name: 'customer' },
    })
    const narrowed = (more: string) =>
      server.call('GET', `/client/domains?domainName=find-me&siteID=${site}&${more}`, { as: operator })
    const { status } = listed.body.data[0]
    expect((await narrowed(`status=${status}&ownership=pending`)).body.total).toBe(1)
    expect((await narrowed(`status=${1 - status}`)).body.total).toBe(0)
    const all = await server.call('GET', '/client/domains/tags', { as: operator })
    expect(all.body.data.length).toBeGreaterThan(1)
  })

  test('are paged in both directions of every sort order, each once, for many matches, few, or none', async () => {
    const parts = Array.from(
      { length: 400 },
      (_, n) => `${n % 3 ? 'often' : 'now'}-${(n * 7) % 400}${n % 90 ? '' : '-rare'}`,
    )
    await add(parts.map((part) => `${part}.paged.example`))
    const operator = await server.openSession('client', 'operator')
    const ask = async (query: string): Promise<{ data: { id: number; domainName: string }[]; total: number }> =>
      (await server.call('GET', `/client/domains?${query}`, { as: operator })).body
    const { data: all } = await ask(`siteID=${site}&pageSize=500&domainName=paged`)
    const created = new Map(all.map(({ id, domainName }) => [domainName, id]))
    expect(created.size).toBe(400)
    for (const keyword of ['often', 'rare', '-7', 'nowhere'])
      for (const sortBy of ['createdAt', 'domainName'])
        for (const orderBy of ['asc', 'desc']) {
          const expected = [...created.keys()].filter((name) => name.includes(keyword))
          expected.sort((a, b) => (sortBy === 'createdAt' ? created.get(a)! - created.get(b)! : a < b ? -1 : 1))
          if (orderBy === 'desc') expected.reverse()
          const query = `siteID=${site}&domainName=${keyword}&sortBy=${sortBy}&orderBy=${orderBy}&pageSize=25`
          for (const page of [1, 2, 11]) {
            const found = await ask(`${query}&page=${page}`)
            const names = expected.slice(25 * (page - 1), 25 * page)
            expect([query, page, found.total, found.data.map(({ domainName }) => domainName)]).toEqual([
              ...[query, page, expected.length, names],
            ])
          }
        }
  })
})
