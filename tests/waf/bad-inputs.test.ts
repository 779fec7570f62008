/**
 * Hostile and odd requests to a site with the WAF, over HTTP/1.1 and HTTP/2 alike: a clear answer, and nobody else
 * notices.
 */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { exchange, statuses } from '../../edge/box/raw.ts'
import { type Asking, ask, type Version, versions } from '../../edge/box/transparent/ask.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'no-store').end('here')
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const site = (id: number, host: string, module: object) =>
      disk.site({
        ...{ site: id, hosts: [host], origins: [{ port: origin.port }], requires: ['waf'] },
        waf: { rules: coreRuleSet().part, module },
      })
    disk.feed(site(1, 'site.test', {}))
    // The rule set also refuses the Content-Encoding header of compressed bodies: here only the body is to be refused.
    const rules = [{ id: 1, rule: 920450, action: 'off', urlRegex: '', methods: [], blockType: 0, target: '' }]
    disk.feed(site(2, 'packed.test', { rules }))
    disk.feed(site(3, 'open.test', { rules, overBudget: 'pass' }))
  })
  await givePrefilter(box)
  // On a busy machine the rules may exceed their CPU budget until LuaJIT has compiled them; until then requests are
  // refused.
  await until('the rules compiled', async () => (await statusOf('1.1', manyArguments(1000))) === 200)
}, 600_000)
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const usual = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
const form = 'application/x-www-form-urlencoded'
const attack = "1' or '1'='1' -- "
const encoded = encodeURIComponent(attack)
const many = (count: number, make: (n: number) => string, between: string) =>
  Array.from({ length: count }, (_, n) => make(n)).join(between)

async function statusOf(version: Version, { path, headers, body, method }: Partial<Asking>, host = 'site.test') {
  const asking = { path: path ?? '/', method: method ?? (body === undefined ? 'GET' : 'POST'), body }
  const { status } = await ask(box, version, host, { ...asking, headers: { ...usual, ...headers } })
  return status
}
const typed = (type: string, body: string | Buffer, headers: Record<string, string> = {}) => ({
  ...{ body, headers: { 'content-type': type, ...headers } },
})
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, `${n}`]))

const manyArguments = (count: number) =>
  typed(
    form,
    many(count, (n) => `a${n}=1`, '&'),
  )

const cases: [what: string, asking: Partial<Asking>, status: number][] = [
  ['a thousand arguments', manyArguments(1000), 200],
  ['one more', manyArguments(1001), 403],
  ['a hundred headers', { headers: named(90) }, 200],
  ['more headers than are taken', { headers: named(120) }, 400],
  ['300 cookies', { headers: { cookie: many(300, (n) => `c${n}=${n}`, '; ') } }, 200],
  [
    'an attack in the last of them',
    { headers: { cookie: `${many(300, (n) => `c${n}=${n}`, '; ')}; last=${attack}` } },
    403,
  ],
  ['__proto__ in a query', { path: '/?__proto__=1&constructor=2' }, 200],
  ['an attack below __proto__', typed('application/json', `{"__proto__":{"id":"${attack}"}}`), 403],
  ['bytes that are no UTF-8', { path: '/?a=%C3%28%FF' }, 200],
  ['an overlong ../', { path: '/?file=%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd' }, 403],
  ['a NUL', { path: '/?a=%00' }, 400],
  ['an attack in the second of two parameters of one name', { path: `/?a=1&a=${encoded}` }, 403],
  ['UTF-7', typed(`${form}; charset=utf-7`, 'a=1'), 403],
  ['EBCDIC', typed(`${form}; charset=ibm037`, 'a=1'), 403],
  ['a body that is packed', typed(form, gzipSync(`a=${encoded}`), { 'content-encoding': 'gzip' }), 403],
  [
    'multipart without an end',
    typed('multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nno end'),
    403,
  ],
  ['JSON within JSON', typed('application/json', JSON.stringify({ a: JSON.stringify({ id: attack }) })), 403],
]

test.each(versions)(
  'each is answered clearly over HTTP/%s, and clients with other requests are served',
  async (version) => {
    const got: [string, number][] = []
    for (const [what, asking] of cases) {
      got.push([what, await statusOf(version, asking)])
      expect([what, await statusOf(version, { path: '/usual' })]).toEqual([what, 200])
    }
    expect(got).toEqual(cases.map(([what, , status]) => [what, status]))
  },
)

test.each(versions)(
  'a body that origins may read differently counts as not inspected, over HTTP/%s',
  async (version) => {
    const path = `/packed-${version}`
    const packed = { path, ...typed(form, gzipSync('a=1'), { 'content-encoding': 'gzip' }) }
    expect(await statusOf(version, packed, 'packed.test')).toBe(403)
    expect(await statusOf(version, { ...packed, path: `${path}-open` }, 'open.test')).toBe(200)
    expect(
      await statusOf(version, { path, ...typed(form, 'a=1', { 'content-encoding': 'identity' }) }, 'packed.test'),
    ).toBe(200)
    const told = (of: string) => box.rows().find((one) => one.path === of && one.waf !== '')
    await until('both rows', () => told(path) && told(`${path}-open`))
    expect(told(path)).toMatchObject({
      guard: 'waf',
      rule: 0,
      action: 'block',
      waf: expect.stringMatching(/^budget:opaque/),
    })
    expect(told(`${path}-open`)).toMatchObject({
      guard: 'waf',
      action: 'observe',
      waf: expect.stringMatching(/^budget:opaque/),
    })
  },
)

test('so does one with two content types; a chunked body is inspected, and its trailers pass if there is nothing in them', async () => {
  const head = 'POST / HTTP/1.1\r\nHost: site.test\r\nAccept: */*\r\nUser-Agent: Mozilla/5.0\r\nConnection: close\r\n'
  const send = async (rest: string) => statuses(await exchange(box.settings.httpPort, head + rest))
  expect(await send(`Content-Type: text/plain\r\nContent-Type: ${form}\r\nContent-Length: 3\r\n\r\na=1`)).toEqual([403])
  const inChunks = (body: string) =>
    `Content-Type: ${form}\r\nTransfer-Encoding: chunked\r\nTrailer: X-After\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nX-After: 1\r\n\r\n`
  expect(await send(inChunks('a=1'))).toEqual([200])
  expect(await send(inChunks(`a=${encoded}`))).toEqual([403])
})
