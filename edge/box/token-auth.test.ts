/** Signed URLs on the wire: all kinds, all errors, and a signature that is hidden from cache, origin and rules. */
import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, cacheOf, versions } from './transparent/ask.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const [key, key2] = ['first-secret-key', 'second-secret-key']
const now = () => Math.floor(Date.now() / 1000)
const minute = (time: number) => new Date((time + 8 * 3600) * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 12)

/** The path of each kind, signed as its CDN documents it. */
const sign = {
  hmac: (path: string, time = now(), by = key) =>
    `${path}?verify=${time}-${createHmac('sha256', by).update(`${path}${time}`).digest('base64url')}`,
  A: (path: string, time = now(), by = key) => `${path}?auth_key=${time}-rand-0-${md5(`${path}-${time}-rand-0-${by}`)}`,
  B: (path: string, time = now(), by = key) => `/${minute(time)}/${md5(by + minute(time) + path)}${path}`,
  C: (path: string, time = now(), by = key) => `/${md5(by + path + time.toString(16))}/${time.toString(16)}${path}`,
  D: (path: string, time = now(), by = key) => `${path}?sign=${md5(by + path + time)}&t=${time}`,
}
const kinds = Object.keys(sign) as (keyof typeof sign)[]
const parameters = { hmac: 'verify', A: 'auth_key', B: '', C: '', D: 'sign' }

let box: Box
let origin: StubOrigin
let artefact: string

beforeAll(async () => {
  origin = await StubOrigin.start((request, response, asked) => {
    response.setHeader('cache-control', request.url?.includes('live') ? 'no-store' : 'max-age=60').end(asked.url)
  })
  const tokens = {
    rules: kinds.map((kind, at) => ({
      id: at + 1,
      urlRegex: `^/${kind}/`,
      kind,
      ttl: 600,
      parameter: parameters[kind],
    })),
    keys: Object.fromEntries(kinds.map((_, at) => [at + 1, [key, key2]])),
  }
  box = await Box.start({ workers: 1 }, (disk) => {
    const entry = disk.site({
      ...{ origins: [{ port: origin.port }], requires: ['tokenAuths'] },
      tokens,
      rewrites: [{ id: 1, urlRegex: '^/A/moved/(.*)', target: '/elsewhere/$1' }],
      firewall: {
        denyRules: [{ id: 9, urlRegex: '^/[A-D]/denied', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' }],
      },
    })
    artefact = entry.artefact ?? ''
    const siteMode = { blockType: 1, auto: { threshold: 1e6 }, blockSeconds: 60, whitePaths: [] }
    const attacked = { site: 2, hosts: ['attacked.test'], requires: ['tokenAuths' as const, 'siteMode' as const] }
    disk.feed(entry, disk.site({ ...attacked, origins: [{ port: origin.port }], tokens, firewall: { siteMode } }))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, version: (typeof versions)[number] = '1.1') => ask(box, version, 'site.test', { path })
const status = async (path: string) => (await get(path)).status
const withQuery = (url: string, query: string) => (url.includes('?') ? `${url}&${query}` : `${url}?${query}`)

test.each(kinds.flatMap((kind) => versions.map((version) => [kind, version] as const)))(
  'kind %s is valid with either key, and cache and origin see the URL without the signature, over HTTP/%s',
  async (kind, version) => {
    const path = `/${kind}/file${version}.mp4`
    const first = await get(withQuery(sign[kind](path), 'a=1'), version)
    expect([first.status, first.body.toString(), cacheOf(first)]).toEqual([200, `${path}?a=1`, 'MISS'])
    const second = await get(withQuery(sign[kind](path, now() - 60, key2), 'a=1'), version)
    expect([second.status, cacheOf(second)]).toEqual([200, 'HIT'])
    const live = `/${kind}/live${version}`
    for (const time of [now(), now() - 60]) {
      const answer = await get(sign[kind](live, time), version)
      expect([answer.status, answer.body.toString()]).toEqual([200, live])
    }
  },
)

test.each(kinds)('kind %s refuses signatures that are missing, expired, of another key or path', async (kind) => {
  const path = `/${kind}/x`
  expect(await status(path)).toBe(403)
  expect(await status(sign[kind](path, now() - 720))).toBe(403)
  expect(await status(sign[kind](path, now(), 'another-key'))).toBe(403)
  expect(await status(sign[kind](`${path}y`).replace(`${path}y`, path))).toBe(403)
  expect(await status(sign[kind](path).replace(/[0-9a-f]{8}(?=[^0-9a-f]|$)/, '00000000'))).toBe(403)
  expect(await status('/free/x')).toBe(200)
})

test('a path may be signed as sent or decoded', async () => {
  const path = '/A/a%20b%2Fc'
  const answer = await get(sign.A(path))
  expect([answer.status, answer.body.toString()]).toEqual([200, path])
  const time = now()
  const decoded = await get(`${path}?auth_key=${time}-r-0-${md5(`/A/a b/c-${time}-r-0-${key}`)}`)
  expect(decoded.status).toBe(200)
})

test('rules see the path without its signature, and rewrites apply to that path', async () => {
  for (const kind of ['B', 'C'] as const) expect(await status(sign[kind](`/${kind}/denied`))).toBe(403)
  expect((await get(sign.A('/A/moved/x'))).body.toString()).toBe('/elsewhere/x')
  await until('rows of both', () => box.rows().filter(({ rule }) => rule === 9).length === 2)
  const row = box.rows().find(({ path }) => path === '/A/x')
  expect(row).toMatchObject({ guard: 'tokenAuths', cause: 904, rule: 2, status: 403, query: '' })
  expect(JSON.stringify(box.rows())).not.toContain('auth_key')
})

test('during an attack only requests with a valid signature are spared the challenge', async () => {
  const status = async (path: string) => (await ask(box, '1.1', 'attacked.test', { path })).status
  await box.control('POST', '/tallies', { attacks: [2], keys: [] })
  const urls = kinds.flatMap((kind) => [sign[kind](`/${kind}/x`), sign[kind](`/${kind}/x`, now() - 720)])
  expect(await Promise.all([...urls, '/free/x'].map(status))).toEqual([...kinds.flatMap(() => [200, 503]), 503])
  await box.control('POST', '/tallies', { attacks: [], keys: [] })
  expect(await status('/free/x')).toBe(200)
})

test('without the keys a node refuses all requests', async () => {
  box.disk.feed(
    box.disk.site({
      ...{ site: 2, hosts: ['keyless.test'], origins: [{ port: origin.port }] },
      tokens: { rules: [{ id: 1, urlRegex: '^/', kind: 'A', ttl: 600, parameter: 'auth_key' }], keys: {} },
    }),
  )
  await box.stop()
  await box.boot()
  expect((await ask(box, '1.1', 'keyless.test', { path: sign.A('/x') })).status).toBe(403)
})

test('Explain reports a missing signature', async () => {
  const request = {
    ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path: '/D/x', query: '' },
    ...{ headers: {}, time: now(), country: 'TW' },
  }
  const told = await box.control<{ verdict: string; steps: object[] }>('POST', '/explain', { artefact, request })
  expect(told.verdict).toBe('block')
  expect(told.steps).toContainEqual(expect.objectContaining({ guard: 'tokenAuths', outcome: 'block', rule: 5 }))
})
