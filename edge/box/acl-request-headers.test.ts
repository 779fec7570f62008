/** Lua ACL rules that set headers of the request to the origin: on every route, and never in stored responses. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aclRule } from './acl-rule.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { authorityWith } from './origin-authority.ts'
import { RawClient } from './raw.ts'
import { type Asking, ask, cacheOf, header, type Version, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
let secure: Server
const { cert, key } = authorityWith('origin.test').issued['origin.test']!
const tagged = { etag: '"one"', 'cache-control': 'max-age=600' }

/** The headers that rules can set, as the origin received them; its response body. */
const told = (headers: NodeJS.Dict<string | string[]>) =>
  ['x-bot', 'x-secret', 'x-late', 'host', 'x-forwarded-for', 'x-debug']
    .map((name) => `${headers[name] ?? ''}`.replace(/:\d+$/, ''))
    .join('|')

const asBot = { 'x-kind': 'bot' }
const isBot = 'header("X-Kind") = "bot"'
const rules = [
  aclRule(1, `when ${isBot} then header request "X-Bot" "likely"`),
  aclRule(2, `when ${isBot} then header request "X-Secret" ""`),
  // Set after the removal of unkeyed headers from every GET.
  aclRule(3, `when ${isBot} then header request "X-Debug" "1"`),
  aclRule(4, 'when path startsWith "/twice" then header request "X-Bot" "surely"'),
  aclRule(5, 'when path startsWith "/seen" then header request "X-Bot" "seen"', { mode: 'observe' }),
  aclRule(6, `when ${isBot} then header response "X-Told" "yes"`),
  // Headers that the API rejects have no effect on a node, either.
  ...[
    'Host',
    'X-Forwarded-For',
    'Content-Length',
    'Transfer-Encoding',
    'X-BW-Relay',
    'True-Client-IP',
    'Connection',
  ].map((name, n) => aclRule(20 + n, `when path startsWith "/reserved" then header request "${name}" "203.0.113.9"`)),
]
const cache: EdgeCacheRule[] = [
  { id: 1, prefixes: ['/sliced/'], extensions: [], ttl: 600, ignoreQuery: false, slice: true },
]

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const text = told(request.headers)
    const range = /^bytes=0-(\d*)$/.exec(request.headers.range ?? '')
    if (range) response.writeHead(206, { ...tagged, 'content-range': `bytes 0-${text.length - 1}/${text.length}` })
    else response.writeHead(200, tagged)
    response.end(text)
  })
  origin.server.on('upgrade', ({ headers }, socket) => {
    socket.end(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n${told(headers)}`)
  })
  secure = createServer({ cert, key }, (request, response) => {
    request.resume().on('end', () => response.writeHead(200, tagged).end(told(request.headers)))
  })
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  box = await Box.start({ workers: 1 }, (disk) => {
    const requires = ['luaAcls', 'aclActions', 'aclRequestHeaders']
    const origins = [{ port: origin.port }]
    const headers = [
      { id: 1, type: 'request' as const, key: 'X-Bot', value: '' },
      { id: 2, type: 'request' as const, key: 'X-Late', value: 'always' },
    ]
    const settings = { cacheStatus: { networks: [] } }
    disk.feed(
      disk.site({ origins, requires, luaAcls: rules, headers, cache, settings }),
      disk.site({
        ...{ site: 2, hosts: ['tls.test'], requires, luaAcls: rules },
        origins: [{ port: (secure.address() as AddressInfo).port, tls: true }],
        settings: { originTls: { verify: 'off' } },
      }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  secure?.close()
})

const asked = async (version: Version, asking: Asking, host = 'site.test') => {
  const answer = await ask(box, version, host, asking)
  return [answer.status, cacheOf(answer), answer.body.toString()]
}

test.each(versions)(
  'a marked request reaches the origin, and only unmarked responses are stored, over HTTP/%s',
  async (version) => {
    const path = `/page/${version}`
    const headers = { ...asBot, 'x-secret': 'a' }
    const plain = `|a|always|site.test|127.0.0.1|`
    const marked = `likely||always|site.test|127.0.0.1|1`
    const bot = () => asked(version, { path, headers })
    const other = () => asked(version, { path, headers: { 'x-secret': 'a' } })
    const [status, , first] = await bot()
    expect([status, first]).toEqual([200, marked])
    // The marked response was not stored, and a stored one is not served to marked requests.
    expect(await other()).toEqual([200, 'MISS', plain])
    expect(await other()).toEqual([200, 'HIT', plain])
    expect((await bot())[2]).toBe(marked)
    expect(await other()).toEqual([200, 'HIT', plain])
    const answer = await ask(box, version, 'site.test', { path, headers })
    expect([header(answer, 'x-told'), header(answer, 'cache-status')]).toEqual([
      'yes',
      'breakwater; fwd=bypass; fwd-status=200; detail="rule=0 why=aclHeader"',
    ])
  },
)

test.each(versions)('requests are marked on every route to an origin, over HTTP/%s', async (version) => {
  const marked = 'likely||always|site.test|127.0.0.1|1'
  const body = async (asking: Asking) =>
    (await asked(version, { ...asking, headers: { ...asBot, ...asking.headers } }))[2]
  expect(await body({ path: '/form', method: 'POST', body: 'a=1' })).toBe(marked)
  const conditions: Record<string, string>[] = [{}, { range: 'bytes=0-' }, { 'if-none-match': '"other"' }]
  for (const headers of conditions) expect(await body({ path: `/sliced/${version}`, headers })).toBe(marked)
  for (const method of ['GET', 'POST', 'PUT'])
    expect((await asked(version, { path: '/relayed', method, headers: asBot }, 'tls.test'))[2]).toBe(
      'likely|||tls.test|127.0.0.1|1',
    )
  expect((await asked(version, { path: '/relayed' }, 'tls.test'))[2]).toBe('|||tls.test|127.0.0.1|')
})

test('the opening request of a WebSocket is marked', async () => {
  const client = await RawClient.open(box.settings.httpPort)
  client.write(
    'GET /chat HTTP/1.1\r\nHost: site.test\r\nX-Kind: bot\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  )
  expect(await client.end(30_000)).toContain('\r\n\r\nlikely||always|site.test|127.0.0.1|1')
})

test('the last rule wins, header modules apply before rules, and a visitor’s own header is replaced', async () => {
  const of = async (path: string, headers: Record<string, string>) => (await asked('1.1', { path, headers }))[2]
  expect(await of('/twice', { 'x-bot': 'forged' })).toBe('surely||always|site.test|127.0.0.1|')
  expect(await of('/twice', asBot)).toBe('surely||always|site.test|127.0.0.1|1')
  expect(await of('/once', { 'x-bot': 'forged' })).toBe('||always|site.test|127.0.0.1|')
})

test('an observed rule, or one that sets a reserved header, changes nothing', async () => {
  for (const path of ['/seen', '/reserved']) {
    const plain = '||always|site.test|127.0.0.1|'
    expect(await asked('2', { path })).toEqual([200, 'MISS', plain])
    expect(await asked('2', { path })).toEqual([200, 'HIT', plain])
  }
  expect(origin.asked.find(({ url }) => url === '/reserved')?.headers['true-client-ip']).toBeUndefined()
})

test('the log names the rule, enforced or observed', async () => {
  await asked('1.1', { path: '/logged', headers: asBot })
  await asked('1.1', { path: '/seen/logged' })
  const row = (path: string) => box.rows().find((one) => one.path === path)
  await until('the rows', () => row('/logged') !== undefined && row('/seen/logged') !== undefined)
  expect(row('/logged')).toMatchObject({ guard: 'luaAcls', rule: 1, action: 'pass', status: 200 })
  expect(row('/seen/logged')).toMatchObject({ guard: 'luaAcls', rule: 5, action: 'observe', status: 200 })
})
