import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { siteRevisionHeader } from '@breakwater/contract/site-revision.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
})
afterAll(() => server.stop())

const call = async (method: string, path: string, body?: unknown) => {
  const reply = await server.call(method, path, { as, body })
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

async function makeShop(name: string) {
  const site = await server.makeSite(as, name)
  const of = `/user/site/${site}`
  await call('POST', `${of}/domains`, {
    domains: [{ name: `${name}.example.com`, upstreams: [{ ip: '127.0.0.1', port: 80 }] }],
  })
  return { site, of }
}

/** A site's newest artefact for nodes. */
async function artefactOf(site: number) {
  const { rows } = await server.services.database.pool.query(
    'select f.hosts, f.revision, f.artefact, o.bytes from feed_entries f left join objects o on o.hash = f.artefact where f.site_id = $1',
    [site],
  )
  return rows[0] && { ...rows[0], artefact: rows[0].bytes && JSON.parse(rows[0].bytes.toString()) }
}

async function partOf(hash: string) {
  const { rows } = await server.services.database.pool.query('select bytes from objects where hash = $1', [
    Buffer.from(hash, 'hex'),
  ])
  return JSON.parse(rows[0].bytes.toString())
}

describe('a site’s history', () => {
  test('lists each change with who made it, newest first', async () => {
    const { of } = await makeShop('listed')
    await call('POST', `${of}/firewall/l7/blacklists`, { ips: ['192.0.2.1'] })
    const { data } = await call('GET', `${of}/history`)
    expect(data.map((row: { revision: number; action: string }) => [row.revision, row.action])).toEqual([
      [3, 'site.firewall.l7.blacklist.create'],
      [2, 'site.domains.create'],
      [1, 'site.create'],
    ])
    expect(data[0].actor).toBe('customer')
  })

  test('an answer contains the revision that the call made, or none if it made none', async () => {
    const { site, of } = await makeShop('numbered')
    const revisionOf = async (method: string, path: string, body?: unknown) =>
      (await server.call(method, path, { as, body })).headers[siteRevisionHeader]
    const lists = `${of}/firewall/l7/blacklists`
    expect(await revisionOf('POST', lists, { ips: ['192.0.2.1'] })).toBe(`site=${site}, revision=3`)
    expect(await revisionOf('POST', lists, { ips: ['192.0.2.2'] })).toBe(`site=${site}, revision=4`)
    expect([await revisionOf('GET', lists), await revisionOf('POST', lists, { ips: ['nobody'] })]).toEqual([
      undefined,
      undefined,
    ])
    // Copying domains changes the site they are copied to.
    const other = await makeShop('copied-to')
    const [{ id }] = (await call('GET', `${of}/domains`)).data
    expect(await revisionOf('POST', `${of}/domains/copyToSite`, { ids: [id], siteID: other.site })).toBe(
      `site=${other.site}, revision=3`,
    )
  })

  test('shows the differences between two revisions', async () => {
    const { of } = await makeShop('compared')
    const { data } = await call('POST', `${of}/firewall/l7/blacklists`, { ips: ['192.0.2.1'] })
    await call('PUT', `${of}/firewall/l7/blacklist`, { id: data.id, ips: ['192.0.2.1', '192.0.2.9'] })
    const { changes } = (await call('GET', `${of}/history/diff?from=3&to=4`)).data
    expect(changes).toMatchObject([
      {
        path: `denyRules/${data.id}`,
        kind: 'changed',
        before: { body: { ips: ['192.0.2.1'] } },
        after: { body: { ips: ['192.0.2.1', '192.0.2.9'] } },
      },
    ])
    expect((await call('GET', `${of}/history/diff?from=2&to=4`)).data.changes).toMatchObject([{ kind: 'added' }])
  })

  test('a restore is a new revision with the old content, under the old ids', async () => {
    const { site, of } = await makeShop('restored')
    const { data } = await call('POST', `${of}/firewall/l7/secondRates`, { urlRegex: '^/a', rate: 3, burst: 1 })
    await call('POST', `${of}/firewall/l7/blacklists`, {
      ips: Array.from({ length: 300 }, (_, i) => `198.18.${i >> 8}.${i & 255}`),
    })
    await call('DELETE', `${of}/firewall/l7/secondRates`, { ids: [data.id] })
    const before = await artefactOf(site)
    expect((await partOf(before.artefact.parts.firewall)).denyRules[0].list).toMatch(/^[0-9a-f]{64}$/)
    await call('POST', `${of}/history/restore`, { revision: 3 })
    expect((await call('GET', `${of}/firewall/l7/secondRates`)).data[0]).toMatchObject({ id: data.id, rate: 3 })
    expect((await call('GET', `${of}/firewall/l7/blacklists`)).total).toBe(0)
    const after = await artefactOf(site)
    expect(after.revision).toBe(6)
    expect((await call('GET', `${of}/history/diff?from=3&to=6`)).data.changes).toEqual([])
    // And back again, including the long list.
    await call('POST', `${of}/history/restore`, { revision: 4 })
    expect((await call('GET', `${of}/firewall/l7/blacklists`)).data[0].ips).toHaveLength(300)
  })

  test('a restore does not bring back a name that another site serves in the meantime', async () => {
    const { of } = await makeShop('contested')
    await server.services.database.pool.query(
      "update domains set ownership = 'approved' where name = 'contested.example.com'",
    )
    const { data } = await call('GET', `${of}/domains`)
    await call('DELETE', `${of}/domains`, { ids: [data[0].id] })
    const other = await makeShop('contender')
    await server.services.database.pool.query(
      "update domains set ownership = 'approved', name = 'contested.example.com' where name = 'contender.example.com'",
    )
    await call('POST', `${of}/history/restore`, { revision: 2 })
    expect((await call('GET', `${of}/domains`)).data[0].ownership.state).toBe('pending')
    expect(other.site).toBeGreaterThan(0)
  })

  test('a restore brings back settings, but not a deleted secret', async () => {
    const { site, of } = await makeShop('settings')
    const credential = (header: string, value: string) =>
      call('PUT', `${of}/setting/originCredential`, { header, value })
    await credential('X-First', 'first value')
    await credential('X-Second', 'second value')
    await call('POST', `${of}/history/restore`, { revision: 3 })
    expect((await call('GET', `${of}/setting/originCredential`)).data).toEqual({
      header: 'X-First',
      isSet: true,
      version: 2,
    })
    const { artefact } = await artefactOf(site)
    expect(artefact.secrets).toEqual({ originCredential: 'originCredential@2' })
    expect(await partOf(artefact.parts.settings)).toMatchObject({ originCredentialHeader: 'X-First' })
    await call('DELETE', `${of}/setting/originCredential`)
    await call('POST', `${of}/history/restore`, { revision: 3 })
    expect((await call('GET', `${of}/setting/originCredential`)).data.isSet).toBe(false)
    await call('POST', `${of}/history/restore`, { revision: 2 })
    expect((await call('GET', `${of}/history/diff?from=2&to=8`)).data.changes).toEqual([])
  })

  test('a restore brings back a domain’s bindings, unless the module is gone', async () => {
    const { of } = await makeShop('bound')
    const [kept, gone] = (
      await call('POST', `${of}/module/customHeaders`, { modules: [{ name: 'kept' }, { name: 'gone' }] })
    ).data.ids
    const { id } = (await call('GET', `${of}/domains`)).data[0]
    const bind = (moduleID: number) => call('PUT', `${of}/domains/module/customHeader`, { domainIDs: [id], moduleID })
    const bound = async () =>
      (await call('GET', `${of}/domain/settings?domainName=bound.example.com`)).data.modules.customHeader
    await bind(kept)
    await bind(gone)
    await bind(0)
    const { changes } = (await call('GET', `${of}/history/diff?from=2&to=3`)).data
    expect(changes.map(({ path, kind }: { path: string; kind: string }) => [path, kind])).toEqual([
      ['domains/bound.example.com/modules', 'added'],
      [`modules/${kept}`, 'added'],
    ])
    await call('POST', `${of}/history/restore`, { revision: 3 })
    expect(await bound()).toBe(kept)
    await bind(0)
    await call('DELETE', `${of}/module/customHeaders`, { ids: [gone] })
    await call('POST', `${of}/history/restore`, { revision: 4 })
    expect(await bound()).toBe(0)
  })

  test('a revision in the older manifest format can be read and restored', async () => {
    const { site, of } = await makeShop('before')
    const { id: rule } = (await call('POST', `${of}/firewall/l7/blacklists`, { ips: ['192.0.2.1'] })).data
    const [moduleID] = (await call('POST', `${of}/module/customHeaders`, { modules: [{ name: 'm' }] })).data.ids
    const { id } = (await call('GET', `${of}/domains`)).data[0]
    await call('PUT', `${of}/domains/module/customHeader`, { domainIDs: [id], moduleID })
    await server.services.database.pool.query(
      `with now as (select manifest->'parts' as p from revisions where site_id = $1 and revision = 4),
        part as (insert into parts (hash, body)
          select sha256('before'), jsonb_set(body, '{domains,0,customHeaderModuleId}', to_jsonb($2::int))
          from parts, now where hash = decode(p->>'domains', 'hex') returning encode(hash, 'hex') as hash)
      update revisions set manifest = jsonb_build_object('version', 1, 'site', p->'site', 'settings', p->'settings',
        'domains', part.hash, 'modules', p->'modules', 'rules', jsonb_build_object('denyRules', p->'denyRules'))
      from now, part where site_id = $1 and revision = 4`,
      [site, moduleID],
    )
    await call('DELETE', `${of}/domains`, { ids: [id] })
    await call('DELETE', `${of}/firewall/l7/blacklists`, { ids: [rule] })
    await call('POST', `${of}/history/restore`, { revision: 4 })
    expect((await call('GET', `${of}/history/diff?from=4&to=7`)).data.changes).toEqual([])
    const { artefact } = await artefactOf(site)
    expect(artefact.domains[0].customHeaders).toHaveLength(1)
  })

  test('a restore can be limited to parts, named in the diff; an unknown part changes nothing', async () => {
    const { of } = await makeShop('partly')
    const rule = { urlRegex: '^/a', rate: 3, burst: 1 }
    await call('POST', `${of}/firewall/l7/secondRates`, rule)
    await call('POST', `${of}/domains`, {
      domains: [{ name: 'second.partly.example.com', upstreams: [{ ip: '127.0.0.1', port: 80 }] }],
    })
    const { changes } = (await call('GET', `${of}/history/diff?from=4&to=2`)).data
    const told = (change: { part: string; kind: string; isRestored: boolean }) => [
      change.part,
      change.kind,
      change.isRestored,
    ]
    expect(changes.map(told).sort()).toEqual([
      ['domains', 'removed', true],
      ['rateRules', 'removed', true],
    ])
    const wrong = await server.call('POST', `${of}/history/restore`, { as, body: { revision: 2, parts: ['nothing'] } })
    expect([wrong.status, wrong.body.extra]).toEqual([400, [{ field: 'parts', reason: 'wrongFormat' }]])
    await call('POST', `${of}/history/restore`, { revision: 2, parts: ['rateRules'] })
    expect((await call('GET', `${of}/firewall/l7/secondRates`)).total).toBe(0)
    expect((await call('GET', `${of}/domains`)).total).toBe(2)
  })

  test('a revision that does not exist is reported', async () => {
    const { of } = await makeShop('unknown')
    const { status, body } = await server.call('POST', `${of}/history/restore`, { as, body: { revision: 99 } })
    expect([status, body.extra]).toEqual([400, [{ field: 'revision', reason: 'unknownRevision' }]])
  })
})

describe('publishing', () => {
  test('a node gets hosts, origins and rules; the preview host sends the first domain’s name', async () => {
    const { site, of } = await makeShop('published')
    await call('POST', `${of}/setting/caches`, { type: 'image', ttl: 60 })
    const { artefact, hosts } = await artefactOf(site)
    const preview = (await call('GET', of)).data.preview.host
    // The domain is pending: its ownership is not proven, so only the preview is served.
    expect(hosts).toEqual([preview])
    expect(artefact.domains[0]).toMatchObject({
      name: preview,
      originHost: 'published.example.com',
      origins: [{ host: '127.0.0.1', port: 80 }],
    })
    expect((await partOf(artefact.parts.cache)).rules[0]).toMatchObject({
      extensions: ['gif', 'png', 'jpg', 'jpeg', 'bmp'],
      ttl: 60,
    })
    const operator = await server.signIn('client', 'operator')
    const { id } = (await call('GET', `${of}/domains`)).data[0]
    await server.call('POST', `/client/site/${site}/domain/${id}/approve`, { as: operator })
    expect((await artefactOf(site)).hosts).toEqual(['published.example.com', preview])
  })

  test('a site that is removed becomes a tombstone, and its label is never issued again', async () => {
    const { site } = await makeShop('leaving')
    expect((await server.call('DELETE', '/user/site', { as, body: { siteID: site, siteName: 'wrong' } })).status).toBe(
      400,
    )
    await call('DELETE', '/user/site', { siteID: site, siteName: 'leaving' })
    const entry = await artefactOf(site)
    expect([entry.artefact, entry.hosts]).toEqual([null, []])
    expect((await server.call('GET', `/user/site/${site}`, { as })).status).toBe(404)
  })

  test('sequences of a feed follow commit order, without a gap, under concurrent changes', async () => {
    const shops = await Promise.all(['a1', 'a2', 'a3', 'a4'].map(makeShop))
    const { rows: before } = await server.services.database.pool.query('select head from feeds')
    await Promise.all(
      shops.flatMap(({ of }) =>
        Array.from({ length: 5 }, (_, i) => call('POST', `${of}/firewall/l7/blacklists`, { ips: [`192.0.2.${i}`] })),
      ),
    )
    const { rows: after } = await server.services.database.pool.query('select head from feeds')
    expect(after[0].head - before[0].head).toBe(20)
  })
})

const makeRedirects = async (of: string): Promise<number> =>
  (await call('POST', `${of}/module/urlRedirects`, { modules: [{ name: 'moved' }] })).data.ids[0]

/** Binds a site's only domain. */
async function bindRedirects(of: string, moduleID: number) {
  const [{ id }] = (await call('GET', `${of}/domains`)).data
  await call('PUT', `${of}/domains/module/urlRedirect`, { domainIDs: [id], moduleID })
}

describe('a shared module', () => {
  test('is bound by two sites, changed once, and published to both; it cannot be removed while in use', async () => {
    const [one, two] = [await makeShop('mod1'), await makeShop('mod2')]
    const [moduleID] = (await call('POST', `${one.of}/module/customHeaders`, { modules: [{ name: 'security' }] })).data
      .ids
    const headers = `${one.of}/module/customHeader/${moduleID}/headers`
    await call('POST', headers, { items: [{ type: 'response', key: 'X-Frame-Options', value: 'DENY' }] })
    for (const { of } of [one, two]) {
      const { id } = (await call('GET', `${of}/domains`)).data[0]
      await call('PUT', `${of}/domains/module/customHeader`, { domainIDs: [id], moduleID })
    }
    await call('POST', headers, { items: [{ type: 'response', key: 'X-Two', value: '2' }] })
    const [first, second] = [await artefactOf(one.site), await artefactOf(two.site)]
    expect(first.artefact.domains[0].customHeaders).toEqual(second.artefact.domains[0].customHeaders)
    expect(
      (await partOf(first.artefact.domains[0].customHeaders[0])).headers.map((header: { key: string }) => header.key),
    ).toEqual(['X-Frame-Options', 'X-Two'])
    const twice = await server.call('POST', headers, {
      as,
      body: { items: [{ type: 'response', key: 'x-two', value: '3' }] },
    })
    expect([twice.status, twice.body.code]).toEqual([409, 10102502])
    expect(twice.body.extra).toEqual([{ field: 'items.0.key', reason: 'duplicateHeaderKeys' }])
    const inUse = await server.call('DELETE', `${one.of}/module/customHeaders`, { as, body: { ids: [moduleID] } })
    expect([inUse.body.code, inUse.body.extra]).toEqual([101003, 'module in use'])
    await server.makeCustomer('thief')
    const thief = await server.signIn('user', 'thief')
    const theirs = await server.makeSite(thief, 'theirs')
    const steal = await server.call('GET', `/user/site/${theirs}/module/customHeader/${moduleID}/headers`, {
      as: thief,
    })
    expect(steal.body.code).toBe(101018)
  })

  test('is restored on all its sites if a restore selects it; a restore of a whole site does not', async () => {
    const [one, two] = [await makeShop('undo1'), await makeShop('undo2')]
    const moduleID = await makeRedirects(one.of)
    const redirects = `${one.of}/module/urlRedirect/${moduleID}/rules`
    const items = [
      { urlRegex: '^/a$', target: '/b' },
      { urlRegex: '^/c$', target: '/d' },
    ]
    const { ids } = (await call('POST', redirects, { items })).data
    const idsNow = async () => (await call('GET', redirects)).data.map(({ id }: { id: number }) => id)
    for (const { of } of [one, two]) await bindRedirects(of, moduleID)
    const before = await artefactOf(two.site)
    // Changed from the second site, whose revision lists the change as restorable.
    const removed = await server.call('DELETE', `${two.of}/module/urlRedirect/${moduleID}/rules`, {
      as,
      body: { ids: [ids[0]] },
    })
    expect(removed.headers[siteRevisionHeader]).toBe(`site=${two.site}, revision=4`)
    expect((await call('GET', `${two.of}/history`)).data[0].changes).toMatchObject({
      total: 1,
      parts: ['modules'],
      first: [{ path: `modules/${moduleID}`, kind: 'changed', isRestored: false, isRestorable: true }],
    })
    await call('POST', `${two.of}/history/restore`, { revision: 3 })
    expect(await idsNow()).toEqual([ids[1]])
    await call('POST', `${two.of}/history/restore`, { revision: 3, parts: ['modules'] })
    expect(await idsNow()).toEqual(ids)
    for (const { site } of [one, two])
      expect((await artefactOf(site)).artefact.domains[0].urlRedirects).toEqual(before.artefact.domains[0].urlRedirects)
  })

  test('is restored only if it could be saved, and never if it has keys', async () => {
    const [one, two] = [await makeShop('undo3'), await makeShop('undo4')]
    const moduleID = await makeRedirects(one.of)
    const redirects = `${one.of}/module/urlRedirect/${moduleID}/rules`
    await bindRedirects(one.of, moduleID)
    const items = [{ urlRegex: '^/a$', target: 'https://undo4.example.com/a' }]
    const { ids } = (await call('POST', redirects, { items })).data
    await call('DELETE', redirects, { ids })
    // From now on the target leads back to the module itself.
    await bindRedirects(two.of, moduleID)
    const loops = await server.call('POST', `${one.of}/history/restore`, {
      as,
      body: { revision: 4, parts: ['modules'] },
    })
    expect([loops.status, loops.body.extra]).toEqual([400, [{ field: 'parts', reason: 'redirectLoop' }]])
    expect((await call('GET', redirects)).total).toBe(0)
    const [keys] = (await call('POST', `${one.of}/module/tokenAuths`, { modules: [{ name: 'keys' }] })).data.ids
    const { id } = (await call('GET', `${one.of}/domains`)).data[0]
    await call('PUT', `${one.of}/domains/module/tokenAuth`, { domainIDs: [id], moduleID: keys })
    const rule = { urlRegex: '^/private/', kind: 'A', ttl: 60, key: 'x'.repeat(32) }
    await call('POST', `${one.of}/module/tokenAuth/${keys}/auths`, { items: [rule] })
    expect((await call('GET', `${one.of}/history`)).data[0].changes).toMatchObject({ total: 1, parts: [] })
  })

  test('a header that affects message framing or contains a line break is rejected', async () => {
    const { of } = await makeShop('lines')
    const [moduleID] = (await call('POST', `${of}/module/customHeaders`, { modules: [{ name: 'm' }] })).data.ids
    for (const item of [
      { key: 'Content-Length', value: '1' },
      { key: 'X-A', value: 'a\r\nSet-Cookie: b=1' },
      { key: 'X-A\n', value: 'a' },
      { key: 'X A', value: 'a' },
      { key: 'X-Accel-Redirect', value: '/x' },
      { key: 'x-breakwater-site', value: '1' },
    ]) {
      const { status, body } = await server.call('POST', `${of}/module/customHeader/${moduleID}/headers`, {
        as,
        body: { items: [{ type: 'response', ...item }] },
      })
      expect([item, status, body.code]).toEqual([item, 400, 101003])
    }
  })
})
