/** What a visitor sees of the guards: refused, passed or only observed; and what is logged. */
import type { Explanation } from '@breakwater/contract/edge/explain.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { openReference } from './reference.ts'

let box: Box
let origin: StubOrigin
const always: { methods: string[]; mode: 'enforce' } = { methods: [], mode: 'enforce' }

beforeAll(async () => {
  origin = await StubOrigin.start()
  box = await Box.start({}, (disk) => {
    const long = disk.list(['127.0.0.0/8', '2001:db8::/32'])
    disk.feed(
      disk.site({
        revision: 12,
        origins: [{ port: origin.port }],
        lists: [long],
        settings: { trustedProxies: ['127.0.0.1'], bodyBytesMax: 1000 },
        firewall: {
          allowRules: [{ ...always, id: 1, urlRegex: '^/both', ips: ['127.0.0.1'] }],
          denyRules: [
            { ...always, id: 2, urlRegex: '^/(deny|both)', ips: ['127.0.0.0/8', '2001:db8:5::/48'] },
            { ...always, id: 3, urlRegex: '^/long', list: long },
            { ...always, id: 4, urlRegex: '^/watched', ips: ['127.0.0.1'], mode: 'observe' as const },
            { ...always, id: 5, urlRegex: '^/over', ips: ['127.0.0.1'], expiresAt: 1000 },
          ],
          rateRules: [{ id: 6, urlRegex: '^/rate', rate: 0.001, burst: 2, blockType: 1, mode: 'enforce' }],
          bodyRules: [
            { id: 7, urlRegex: '^/form', methods: ['POST'], contains: 'evil', oversize: 'block', mode: 'enforce' },
          ],
        },
      }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('a denied address is refused with a page whose reference contains the reason', async () => {
  const reply = await box.request('site.test', '/deny', { headers: { 'accept-language': 'zh-TW,en;q=0.5' } })
  expect(reply.status).toBe(403)
  expect(reply.text).toContain('此請求已被拒絕')
  const reference = /<dd>([\w-]+)<\/dd>/.exec(reply.text)![1]!
  const opened = openReference(reference, 'k'.repeat(32))
  expect(opened).toMatchObject({ group: 3, node: 7, site: 1, revision: 12, guard: 'denyRules', rule: 2, cause: 903 })
  const flipped = reference[20] === 'A' ? 'B' : 'A'
  expect(() => openReference(reference.slice(0, 20) + flipped + reference.slice(21), 'k'.repeat(32))).toThrow()
})

test('a client that accepts JSON gets a problem document, not a page', async () => {
  const reply = await box.request('site.test', '/deny', { headers: { accept: 'application/json' } })
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(reply.text)).toMatchObject({ status: 403, reference: expect.stringMatching(/^[\w-]{55}$/) })
})

test('an allow rule overrides a deny rule, a long list denies; expired and observed rules do not', async () => {
  const statusOf = async (path: string) => (await box.request('site.test', path)).status
  expect(await statusOf('/both')).toBe(200)
  expect(await statusOf('/long')).toBe(403)
  expect(await statusOf('/over')).toBe(200)
  expect(await statusOf('/watched')).toBe(200)
  await until('the watched row', () => box.rows().some((row) => row.path === '/watched'))
  expect(box.rows().find((row) => row.path === '/watched')).toMatchObject({
    action: 'observe',
    guard: 'denyRules',
    rule: 4,
    cause: 903,
  })
})

test.each(['//deny', '/./deny', '/x/../deny', '/%64eny', '/%2fdeny', '/de%6Ey'])(
  '%s is refused like /deny',
  async (path) => {
    expect((await box.request('site.test', path)).status).toBe(403)
  },
)

test('behind a trusted proxy the rightmost untrusted address is the visitor, whatever precedes it', async () => {
  const ask = async (forwarded: string) => {
    const reply = await box.request('site.test', '/deny', { headers: { 'x-forwarded-for': forwarded } })
    return reply.status
  }
  expect(await ask('198.51.100.1')).toBe(200)
  expect(await ask('198.51.100.1, 127.0.0.9')).toBe(403)
  expect(await ask('127.0.0.9, 198.51.100.1, 127.0.0.1')).toBe(200)
  expect(await ask('[2001:db8:5::1]:443')).toBe(403)
  expect(await ask('garbage')).toBe(403)
})

test.each([
  [' 198.51.100.1\t', 200],
  ['198.51.100.1:8080', 200],
  ['::ffff:198.51.100.1', 200],
  ['::ffff:127.0.0.9', 403],
  ['2001:DB8:6::1', 200],
  ['2001:DB8:5::A', 403],
  ['[2001:db8:6::1]', 200],
])('%j is parsed as an address', async (forwarded, status) => {
  const reply = await box.request('site.test', '/deny', { headers: { 'x-forwarded-for': forwarded } })
  expect(reply.status).toBe(status)
})

test.each([
  '',
  '198.51.100',
  '198.51.100.256',
  '198.51.100.01',
  '198.51.100.1.1',
  '2001:db8:6:::1',
  '1:2:3:4:5:6:7:8:9',
  '2001:db8:6::1%eth0',
  '[2001:db8:6::1',
  '1.2.3.4::',
  `198.51.100.${'1'.repeat(9000)}`.slice(0, 4000),
])('%j is not an address: the visitor is the proxy that sent it', async (forwarded) => {
  const reply = await box.request('site.test', '/deny', { headers: { 'x-forwarded-for': forwarded } })
  expect(reply.status).toBe(403)
})

test('a client that exceeds a rate is challenged, but not on other paths', async () => {
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await box.request('site.test', '/rate')).status)
  expect(statuses).toEqual([200, 200, 200, 503, 503])
  expect((await box.request('site.test', '/other')).status).toBe(200)
  const other = await box.request('site.test', '/rate', { headers: { 'x-forwarded-for': '198.51.100.77' } })
  expect(other.status).toBe(200)
})

/** Applies a site with one rate rule per URL and sends two requests: the second exceeds. Returns its status. */
async function exceeded(site: number, urls: string[], path: string): Promise<number> {
  const host = `many-${site}.test`
  const rateRules = urls.map((urlRegex, n) => ({
    ...{ id: n + 1, urlRegex, rate: 0.001, burst: 0, blockType: 1 },
    mode: 'enforce' as const,
  }))
  const entry = box.disk.site({ site, hosts: [host], origins: [{ port: origin.port }], firewall: { rateRules } })
  await box.control('POST', '/apply', { entries: [entry] })
  await box.request(host, path)
  return (await box.request(host, path)).status
}

test('many URL rules are matched together, each for its own URLs, even if they cannot be combined', async () => {
  const many = Array.from({ length: 50 }, (_, n) => `^/part-${n}/.*\\.php$`)
  expect(await exceeded(51, many, '/part-37/a.php')).toBe(503)
  expect(await exceeded(52, many, '/part-37/a.css')).toBe(200)
  expect(await exceeded(53, [...many, ''], '/part-37/a.css')).toBe(503)
  // Expressions with the same group name cannot be combined into one.
  expect(await exceeded(54, [...many, '^/(?<name>x)', '^/(?<name>y)'], '/y')).toBe(503)
  expect(await exceeded(55, ['a|b', 'c', '^d|e$'], '/xyz')).toBe(200)
})

test('a body is read if a rule requires it, and reaches the origin intact', async () => {
  const post = (path: string, body: string) => box.request('site.test', path, { method: 'POST', body })
  expect((await post('/form', 'a little evil')).status).toBe(403)
  expect((await post('/other', 'a little evil')).status).toBe(200)
  const before = origin.asked.length
  expect((await post('/form', 'all good')).status).toBe(200)
  expect(origin.asked[before]).toMatchObject({ method: 'POST', body: 'all good' })
  expect((await post('/other', 'x'.repeat(1001))).status).toBe(413)
})

test('a malformed request is refused before any rule is evaluated', async () => {
  for (const path of ['/a%0ab', '/?x=%00', `/?${'&'.repeat(501)}`]) {
    expect((await box.request('site.test', path)).status, path).toBe(400)
  }
  const framed = await box.request('site.test', '/', { headers: { connection: 'keep-alive, transfer-encoding' } })
  expect(framed.status).toBe(400)
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`x-${i}`, 'v']))
  expect((await box.request('site.test', '/', { headers: many })).status).toBe(400)
})

test('a domain’s own rules are evaluated after the site’s, guard by guard, and apply to no other domain', async () => {
  const here = { ips: ['127.0.0.1'], methods: [], mode: 'enforce' as const }
  const entry = box.disk.site({
    ...{ site: 61, hosts: ['own.test', '*.own.test', 'plain.test'], origins: [{ port: origin.port }] },
    firewall: {
      allowRules: [{ ...here, id: 1, urlRegex: '^/free' }],
      denyRules: [{ ...here, id: 2, urlRegex: '^/both' }],
    },
    ofDomains: {
      'own.test': {
        denyRules: [3, 4].map((id) => ({ ...here, id, urlRegex: id === 3 ? '^/(own|both|free)' : '^/own' })),
      },
      '*.own.test': { allowRules: [{ ...here, id: 5, urlRegex: '^/both' }] },
    },
  })
  await box.control('POST', '/apply', { entries: [entry] })
  const seen = async (host: string) => {
    const replies = await Promise.all(['/own', '/both', '/free'].map((path) => box.request(host, path)))
    return replies.map(({ status }) => status)
  }
  expect(await seen('own.test')).toEqual([403, 403, 200])
  expect(await seen('a.own.test')).toEqual([200, 200, 200])
  expect(await seen('plain.test')).toEqual([200, 403, 200])
  const ruleOf = async (host: string, path: string) => {
    await until('the row', () => box.rows().some((row) => row.domain === host && row.path === path))
    return box.rows().find((row) => row.domain === host && row.path === path)!.rule
  }
  expect(await ruleOf('own.test', '/own')).toBe(3)
  expect(await ruleOf('own.test', '/both')).toBe(2)
  expect(await ruleOf('a.own.test', '/both')).toBe(5)
  const explained = await box.control<Explanation>('POST', '/explain', {
    artefact: entry.artefact,
    request: {
      ...{ site: 61, host: 'own.test', path: '/own', query: '', method: 'GET', address: '127.0.0.1' },
      ...{ headers: {}, time: 1_700_000_000, country: 'ZZ' },
    },
  })
  expect(explained.steps.find(({ guard }) => guard === 'denyRules')).toMatchObject({ outcome: 'block', rule: 3 })
})

test('every row has the fields of the contract', async () => {
  const { RequestRow } = await import('@breakwater/contract/edge/events.ts')
  await until('rows', () => box.rows().length > 10)
  for (const row of box.rows()) expect(RequestRow.strict().safeParse(row).error?.message).toBeUndefined()
})
