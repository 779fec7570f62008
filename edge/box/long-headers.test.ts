/**
 * Headers and bodies of repeated characters, from visitors and origins, as long as an operator can allow: none may keep
 * a worker busy for long.
 */
import { connect } from 'node:net'
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { AuthGroupSecrets } from '@breakwater/contract/edge/auth-rules.ts'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuOf, isWorker } from '../../bench/src/edge/workers.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { aclRule } from './acl-rule.ts'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

const bytes = 250_000
const bytesOfOrigin = 200_000
/**
 * Inputs that once took quadratic time or worse: trimming blanks with a pattern (20 to 60 s), decoding escapes into a
 * growing string (0.3 s), WAF expressions with brackets (7 s for 4 KB).
 */
const pieces = [
  ...[
    '="',
    '%E6%9D%AF',
    ' ',
    '\t',
    '\n',
    ',',
    ';',
    'k=1;',
    'k,',
    ', ,',
    '; ;',
    '=',
    '"',
    "'",
    '\\',
    '%20',
    '%',
    '/',
    '(',
    '&',
    'k=1&',
  ],
  ...['.', '*', '<', '|', '-', '[', '{', '$(', '<a ', 'a=', 'x<', 'a'],
]
const filled = (piece: string, length: number) => `x${piece.repeat(length / piece.length)}y`

/**
 * Seconds of the worker's CPU time that a request may use, even on a slow machine; 0.4 at most on a fast one. Quadratic
 * time takes five or more for this many bytes.
 */
const secondsMax = 2

const asked = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Access-Control-Request-Headers',
    'Authorization',
    'Cache-Control',
  ],
  ...['Connection', 'Content-Type', 'Cookie', 'Forwarded', 'If-Match', 'If-None-Match', 'Origin', 'Range', 'Referer'],
  ...['TE', 'Upgrade', 'User-Agent', 'Via', 'X-Forwarded-For', 'X-Any'],
]
const answered = [
  ...['Cache-Control', 'CDN-Cache-Control', 'Surrogate-Control', 'Cache-Tag', 'Content-Encoding', 'Content-Type'],
  ...['ETag', 'Expires', 'Last-Modified', 'Set-Cookie', 'Vary', 'Date', 'Age', 'X-Any'],
]
/** Every part of a request that a rule can use, in the key and for bypassing. */
const keyed: EdgeCacheRule[] = [
  {
    ...{ id: 1, prefixes: ['/'], extensions: [], ttl: 600, ignoreQuery: false },
    ...{ keyHeaders: ['accept-language', 'x-any'], keyCookies: ['k'], keyDevice: true, respectsOrigin: true },
    query: { only: false, names: ['utm_*'] },
    bypass: { cookies: ['logged_in_*'], headers: ['x-preview'], query: ['preview'] },
  },
]
const ruled = { urlRegex: '^/', blockType: 0, mode: 'enforce' as const }
/** Rules that match headers, each evaluated completely. */
const firewall = {
  headerRules: [{ ...ruled, id: 11, header: 'x-any', valueRegex: '^x[0-9a-z]+ *, *[0-9]+$' }],
  agentRules: [{ ...ruled, id: 12, userAgentRegex: 'bot[a-z]* ?/ ?[0-9]+$' }],
  antiReferers: [{ ...ruled, id: 13, referers: ['*.evil.example'], isBlack: true, allowEmpty: true }],
  antiHeaders: [{ ...ruled, id: 14, header: 'cookie', valueRegex: '^([a-z]+=[a-z]+; ?)+$' }],
}
const acls = [
  aclRule(21, 'when cookie("k") = "2" or cookie("theme") exists and header("X-Any") matches "^x *y$" then block'),
  aclRule(22, 'when arg("k") matches "^[a-z]+ [a-z]+$" or query contains "zz" and referer endsWith "/" then block'),
  aclRule(23, 'when userAgent contains "zz" and path matches "^/[a-z]*/[0-9]+$" then block'),
]
const hosts = ['plain.test', 'guarded.test', 'ruled.test', 'signed.test', 'refused.test', 'nobody.test']
const kinds = ['hmac', 'A', 'B', 'C', 'D'] as const
/** Signed URLs of each kind, under separate paths. */
const tokens = {
  rules: kinds.map((kind, at) => ({ id: at + 1, urlRegex: `^/${kind}/`, kind, ttl: 600, parameter: 'sign' })),
  keys: Object.fromEntries(kinds.map((_, at) => [at + 1, ['first-secret-key']])),
}
const signers: AuthGroupSecrets = {
  1: { algorithm: 'HS256', kid: '', issuer: '', audience: '', key: Buffer.from('k'.repeat(32)).toString('base64') },
}

/** The value that the origin sends in the requested header. */
let said = ''
let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const name = new URL(request.url ?? '/', 'http://origin').searchParams.get('says')
    if (name) response.setHeader(name, said)
    if (request.url === '/filled') {
      response.setHeader('content-type', 'text/html').end(said)
      return
    }
    if (name !== 'Cache-Control') response.setHeader('cache-control', 'max-age=60')
    response.end('<p>page</p>')
  })
  box = await Box.start(
    { heads: { line: 262_144, request: 1_048_576, response: 262_144 }, workers: 1, trustedProxies: ['127.0.0.0/8'] },
    (disk) => {
      const origins = [{ port: origin.port }]
      const mode = 'enforce' as const
      const always = { mode, realm: 'x', forward: false, group: 'authGroup-1@1' }
      const key = { ...always, id: 1, type: 'key' as const, urlRegex: '^/' }
      disk.feed(
        disk.site({ site: 1, hosts: ['plain.test'], origins, requires: ['cors'], cache: keyed, cors: {} }),
        disk.site({
          ...{ site: 2, hosts: ['guarded.test'], origins, requires: ['waf', 'authRules'] },
          waf: { rules: coreRuleSet().part, module: { paranoia: 1, threshold: 5, bodyBytes: 1_048_576 } },
          auth: {
            groups: { 'authGroup-1@1': {} },
            rules: [
              { ...key, place: { in: 'cookie', name: 'key' }, mode: 'observe' },
              { ...key, id: 2, place: { in: 'header', name: 'Authorization' }, mode: 'observe' },
            ],
          },
        }),
        disk.site({
          ...{ site: 4, hosts: ['ruled.test'], origins, luaAcls: acls, firewall },
          requires: ['agentRules', 'headerRules', 'luaAcls'],
          redirects: [
            { id: 1, match: 'regex', value: '^/(a+)/(b+)-(.*)$', target: '/$2', status: 301, keepQuery: true },
            { id: 2, match: 'prefix', value: '/old', target: '/new', status: 301, keepQuery: true },
            { id: 3, match: 'prefix', value: '/wide', target: '/to$path', status: 301, keepQuery: true },
          ],
        }),
        disk.site({
          ...{ site: 5, hosts: ['signed.test'], origins, requires: ['tokenAuths', 'authRules', 'siteMode'], tokens },
          rewrites: [{ id: 1, urlRegex: '^/A/(.*)', target: '/to/$1' }],
          firewall: { siteMode: { blockType: 4, blockSeconds: 60, whitePaths: kinds.map((kind) => `/${kind}/`) } },
          auth: {
            groups: { 'authGroup-1@1': signers },
            rules: [{ ...always, id: 1, type: 'jwt' as const, urlRegex: '^/C/' }],
          },
        }),
        disk.site({
          ...{ site: 6, hosts: ['answers.test'], origins, requires: ['waf', 'wafResponses'] },
          waf: {
            rules: coreRuleSet().part,
            module: {},
            responses: { mode: 'enforce', rules: coreRuleSet().responses! },
          },
        }),
        disk.site({
          ...{ site: 3, hosts: ['refused.test'], origins },
          firewall: { denyRules: [{ id: 1, urlRegex: '^/', methods: [], ips: ['0.0.0.0/0'], mode }] },
        }),
      )
    },
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** Sends a request and returns its status; 0 if the connection ends without one. */
const send = (host: string, path: string, header = '', body?: string) =>
  new Promise<number>((resolve, reject) => {
    const socket = connect(box.settings.httpPort, '127.0.0.1')
    let status = 0
    socket.once('data', (bytes) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1])
      socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => error.code !== 'ECONNRESET' && reject(error))
    socket.on('close', () => resolve(status))
    socket.write(
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\n${body ?? ''}`,
    )
  })

/** The requests that used too much CPU time, with the seconds, and those that failed. */
async function wrongOf(requests: { name: string; send: () => Promise<number> }[]) {
  const wrong: string[] = []
  for (const one of requests) {
    const before = cpuOf(box.workers().filter(isWorker))
    const status = await one.send()
    const seconds = (cpuOf(box.workers().filter(isWorker)) - before) / 1e6
    if (seconds > secondsMax) wrong.push(`${one.name} ${seconds.toFixed(1)} s`)
    // A challenged program gets 503.
    const isChallenged = status === 503 && one.name.startsWith('signed.test')
    if (status >= 500 && !isChallenged) wrong.push(`${one.name} ${status}`)
  }
  return wrong
}

/** Headers cannot contain line breaks. */
const inHeader = (text: string) => text.replaceAll('\n', '\t')

const schemes = ['Bearer ', 'Basic ', 'ApiKey  ']

test.each(pieces)('from a visitor in any header, with all kinds of sites: %j', async (piece) => {
  const value = inHeader(filled(piece, bytes))
  const requests = hosts.flatMap((host) =>
    asked.flatMap((name) =>
      ['', ...(name === 'Authorization' ? schemes : [])].map((scheme) => ({
        name: `${host} ${name}: ${scheme}`,
        send: () => send(host, `/${name}`, `${name}: ${scheme}${value}\r\n`),
      })),
    ),
  )
  expect(await wrongOf(requests)).toEqual([])
})

test.each(pieces)('from a visitor in path and query: %j', async (piece) => {
  const value = filled(piece, bytes).replaceAll(/\s/g, '+')
  const ofTokens = kinds.flatMap((kind) => [`/${kind}/${value}`, `/${kind}/?sign=${value}`])
  const targets = [`/${value}`, `/?${value}`, `/?k=${value}`, `/wide/${value}`, `${answerPath}?${value}`, ...ofTokens]
  const requests = hosts.flatMap((host) =>
    targets.map((path) => ({ name: `${host} ${path.slice(0, 8)}`, send: () => send(host, path) })),
  )
  expect(await wrongOf(requests)).toEqual([])
})

test.each(pieces)('from an origin in any header: %j', async (piece) => {
  said = inHeader(filled(piece, bytesOfOrigin))
  const requests = answered.map((name) => ({
    name,
    send: () => send('plain.test', `/${encodeURIComponent(piece)}?says=${name}`),
  }))
  expect(await wrongOf(requests)).toEqual([])
})

test.each(pieces)('in a response of a site with response rules: %j', async (piece) => {
  const requests = [4_000, 60_000, 500_000].map((length) => ({
    name: `${length}`,
    send: () => {
      said = filled(piece, length)
      return send('answers.test', '/filled')
    },
  }))
  expect((await wrongOf(requests)).filter((one) => !one.endsWith(' 502'))).toEqual([])
})

test.each(pieces)('in a form of a site with the WAF: %j', async (piece) => {
  const requests = [250, 1_000, 4_000, 16_000, 100_000].map((length) => {
    const body = `k=${encodeURIComponent(filled(piece, length))}`.slice(0, 120_000)
    const type = 'Content-Type: application/x-www-form-urlencoded'
    const head = `${type}\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\nContent-Length: ${body.length}\r\n`
    return { name: `${length}`, send: () => send('guarded.test', '/form', head, body) }
  })
  expect(await wrongOf(requests)).toEqual([])
})

/** Structured bodies with many or long parts, lines, tags and values. */
const structured: { type: string; around: [string, string]; pieces: string[] }[] = [
  {
    type: 'multipart/form-data; boundary=b',
    around: ['--b\r\nContent-Disposition: form-data; name="a"', '\r\n\r\nx\r\n--b--'],
    pieces: ['\n ', '\n', '\na', ';', '; ', ';a=', '; a="', '=', '\r\n', ' ', '\n--b', '\n--b\n\n', '"'],
  },
  {
    type: 'text/xml',
    around: ['<a>', '</a>'],
    pieces: [
      '<',
      '<a',
      '<a>',
      '<a b="',
      '<a b="c"/>',
      '&',
      '&lt;',
      '&#',
      '<!--',
      '<![CDATA[',
      '<?',
      '>',
      '="',
      ']]>',
      '\n',
    ],
  },
  {
    type: 'application/json',
    around: ['{"a":', '}'],
    pieces: ['[', '{"a":', '"a",', '[1,', '"', '\\u0041', '1', ' ', '{"a":1},'],
  },
]

test.each(structured)('in a body of a site with the WAF: $type', async ({ type, around: [before, after], pieces }) => {
  const requests = pieces.flatMap((piece) =>
    [4_000, 60_000, 1_000_000].map((length) => {
      const body = `${before}${piece.repeat(length / piece.length)}${after}`
      const head = `Content-Type: ${type}\r\nUser-Agent: Mozilla/5.0\r\nContent-Length: ${body.length}\r\n`
      return { name: `${JSON.stringify(piece)} ${length}`, send: () => send('guarded.test', '/form', head, body) }
    }),
  )
  expect(await wrongOf(requests)).toEqual([])
})
