/** Edge authentication on the wire: who may pass, what is kept secret, and password checks that delay nobody else. */
import {
  constants,
  createHash,
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  sign,
} from 'node:crypto'
import type { AuthGroupSecrets, EdgeAuthRule } from '@breakwater/contract/edge/auth-rules.ts'
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, cacheOf, header, versions } from './transparent/ask.ts'

function password(name: string, text: string): AuthGroupSecrets[string] {
  const salt = randomBytes(16)
  const { n, r, p, bytes } = passwordCost
  const hash = scryptSync(text, salt, bytes, { N: n, r, p })
  return { name, salt: salt.toString('base64'), hash: hash.toString('base64') }
}
const key = (text: string) => ({ hash: createHash('sha256').update(text).digest('base64') })
const [goodKey, otherKey] = ['key-of-sixteen-chars', 'another&key=0123456789']

const shared = 'a shared secret of 32 bytes or more'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const spki = ({ publicKey }: { publicKey: KeyObject }) => publicKey.export({ type: 'spki', format: 'der' })
const signers: AuthGroupSecrets = {
  1: { algorithm: 'HS256', kid: '', issuer: '', audience: '', key: Buffer.from(shared).toString('base64') },
  2: { algorithm: 'RS256', kid: 'r', issuer: 'https://id.test', audience: 'shop', key: spki(rsa).toString('base64') },
  3: { algorithm: 'ES256', kid: 'e', issuer: '', audience: '', key: spki(ec).toString('base64') },
  5: { algorithm: 'RS512', kid: 'r512', issuer: '', audience: '', key: spki(rsa).toString('base64') },
  6: { algorithm: 'PS256', kid: 'p', issuer: '', audience: '', key: spki(rsa).toString('base64') },
  'jwks-1': { algorithm: 'EdDSA', kid: 'ed', issuer: '', audience: '', key: spki(ed).toString('base64') },
  7: {
    ...{ algorithm: 'EdDSA', kid: 'claims', issuer: '', audience: '', key: spki(ed).toString('base64') },
    claims: { role: 'admin', scope: 'read', level: '3' },
  },
  4: { algorithm: 'ES256', kid: 'off', issuer: '', audience: '', key: spki(ec).toString('base64'), off: true },
}
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)
/** The signature of each algorithm. */
const makes = {
  HS256: (text: string, secret = shared as string | Buffer) => createHmac('sha256', secret).update(text).digest(),
  RS256: (text: string) => sign('sha256', Buffer.from(text), rsa.privateKey),
  RS512: (text: string) => sign('sha512', Buffer.from(text), rsa.privateKey),
  PS256: (text: string) => {
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants
    return sign('sha256', Buffer.from(text), { key: rsa.privateKey, padding, saltLength })
  },
  EdDSA: (text: string) => sign(null, Buffer.from(text), ed.privateKey),
  ES256: (text: string) => sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
}
type Make = (text: string) => Buffer
function token(
  header: { alg: string; kid?: unknown },
  claims: object,
  make: Make = makes[header.alg as keyof typeof makes],
) {
  const text = `${part(header)}.${part(claims)}`
  return { authorization: `Bearer ${text}.${make(text).toString('base64url')}` }
}

const always = { mode: 'enforce', realm: 'Staff "only"', forward: false } as const
const staff = { ...always, type: 'basic', group: 'authGroup-1@1' } as const
const keys = { ...always, type: 'key', group: 'authGroup-2@1' } as const
const rules: EdgeAuthRule[] = [
  { ...staff, id: 1, urlRegex: '^/staff/' },
  { ...staff, id: 2, urlRegex: '^/told/', forward: true },
  { ...staff, id: 3, urlRegex: '^/watched/', mode: 'observe' },
  { ...staff, id: 4, urlRegex: '^/ended/', expiresAt: 1 },
  { ...keys, id: 5, urlRegex: '^/header/', place: { in: 'header', name: 'X-Api-Key' } },
  { ...keys, id: 6, urlRegex: '^/query/', place: { in: 'query', name: 'key' } },
  { ...keys, id: 7, urlRegex: '^/cookie/', place: { in: 'cookie', name: 'api' } },
  { ...keys, id: 8, urlRegex: '^/bearer/', place: { in: 'header', name: 'Authorization' } },
  { ...keys, id: 9, urlRegex: '^/asked/', forward: true, place: { in: 'query', name: 'key' } },
  { ...always, id: 11, type: 'jwt', group: 'authGroup-3@1', urlRegex: '^/token/' },
  { ...staff, id: 10, urlRegex: '^/nobody/', group: 'authGroup-9@1' },
]

/** The mode of a site that challenges everybody while it is under attack. */
const automatic = { blockType: 1, auto: { threshold: 70 }, blockSeconds: 60, whitePaths: [] }
const slow = { id: 52, urlRegex: '^/header/slow', rate: 0.001, burst: 1, blockType: 1, mode: 'enforce' as const }

let box: Box
let origin: StubOrigin
let artefact: string

beforeAll(async () => {
  origin = await StubOrigin.start((request, response, asked) => {
    const headers = JSON.stringify({ url: asked.url, ...request.headers })
    response.setHeader('cache-control', request.url?.includes('live') ? 'no-store' : 'public, max-age=60, s-maxage=90')
    response.end(headers)
  })
  box = await Box.start({ workers: 1, trustedProxies: ['127.0.0.0/8'] }, (disk) => {
    const groups = {
      'authGroup-1@1': {
        1: password('alice', 'correct horse'),
        2: { ...password('bob', 'switched off'), off: true as const },
        3: password('zoë', 'pässword:with colon'),
        7: { name: 'bea', crypt: '$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2' },
        8: {
          name: 'sam',
          crypt:
            '$6$rounds=1000$saltsalt$lkPF2sM17dQpiNmKQOKY75tY9XJY3.ejvkL7b8W12Jd/1CTq7WCAA67IFlKc5hwCBY.TDPCGHMUYyJ27OoWwt.',
        },
        9: { name: 'yan', crypt: '$y$j9T$saltsaltsalt$kee1D.uJM4Wad8ctefa4ZdznCan8JI5MOWrvOvCZyz8' },
      },
      'authGroup-2@1': { 4: key(goodKey), 5: key(otherKey), 6: { ...key('switched-off-key-0'), off: true as const } },
      'authGroup-3@1': signers,
    }
    const entry = disk.site({
      ...{ origins: [{ port: origin.port }], requires: ['authRules'], auth: { rules, groups } },
      firewall: {
        allowRules: [{ id: 50, urlRegex: '', methods: [], ips: ['203.0.113.50'], mode: 'enforce' }],
        denyRules: [{ id: 51, urlRegex: '^/(staff|query)/denied', methods: [], ips: ['0.0.0.0/0'], mode: 'enforce' }],
      },
    })
    artefact = entry.artefact ?? ''
    const underAttack = disk.site({
      ...{ site: 3, hosts: ['attacked.test'], origins: [{ port: origin.port }], requires: ['authRules', 'siteMode'] },
      ...{ auth: { rules, groups }, firewall: { siteMode: automatic, rateRules: [slow] } },
    })
    disk.feed(entry, underAttack, disk.site({ site: 2, hosts: ['neighbour.test'], origins: [{ port: origin.port }] }))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const basic = (name: string, text: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${text}`).toString('base64')}`,
})
let hosts = 0
/** Each test uses its own addresses, because failures are counted by address. */
const fromNew = () => ({ 'x-forwarded-for': `198.51.100.${++hosts}` })
const get = (path: string, headers: Record<string, string> = {}, version: (typeof versions)[number] = '1.1') =>
  ask(box, version, 'site.test', { path, headers: { ...fromNew(), ...headers } })
const statusOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).status
const seen = (body: Buffer) => JSON.parse(body.toString()) as Record<string, string>

test.each(versions)(
  'a correct name and password pass, and all others get a 401 that asks for them, over HTTP/%s',
  async (version) => {
    const path = `/staff/page${version}`
    const refused = await get(path, {}, version)
    expect(refused.status).toBe(401)
    expect(header(refused, 'www-authenticate')).toBe('Basic realm="Staff \\"only\\"", charset="UTF-8"')
    expect(header(refused, 'cache-control')).toBe('no-store')
    const first = await get(path, { ...basic('alice', 'correct horse'), 'x-auth-user': 'root' }, version)
    expect([first.status, cacheOf(first)]).toEqual([200, 'MISS'])
    // The origin gets neither the password nor a header forged by the visitor.
    expect(seen(first.body).authorization).toBeUndefined()
    expect(seen(first.body)['x-auth-user']).toBeUndefined()
    // Cacheable responses are stored for all who may pass; downstream caches must not store them.
    const second = await get(path, basic('zoë', 'pässword:with colon'), version)
    expect([second.status, cacheOf(second)]).toEqual([200, 'HIT'])
    expect(header(second, 'cache-control')).toBe('private, max-age=60')
    expect((await get(path, {}, version)).status).toBe(401)
  },
)

test('passwords with imported hashes pass, and similar ones do not', async () => {
  const right = [basic('bea', 'correct horse'), basic('sam', 'sha words'), basic('yan', 'yes words')]
  for (const headers of [...right, ...right]) expect(await statusOf('/staff/imported', headers)).toBe(200)
  const wrong = [
    basic('bea', 'sha words'),
    basic('bea', 'correct horse\0'),
    basic('bea', '$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'),
    basic('sam', ''),
    basic('yan', 'yes word'),
  ]
  for (const headers of wrong) expect(await statusOf('/staff/imported', headers)).toBe(401)
})

test('wrong, disabled, malformed or unknown credentials do not pass', async () => {
  const wrong = [
    basic('alice', 'wrong'),
    basic('bob', 'switched off'),
    basic('nobody', 'correct horse'),
    basic('__proto__', ''),
    basic('', ''),
    { authorization: 'Basic !!!' },
    { authorization: 'Basic' },
    { authorization: `Basic ${'A'.repeat(600)}` },
    { authorization: 'Bearer correct horse' },
    basic('alice', 'correct hors\0e'),
  ]
  for (const headers of wrong) expect(await statusOf('/staff/x', headers)).toBe(401)
  expect(await statusOf('/nobody/x', basic('alice', 'correct horse'))).toBe(401)
  expect(await statusOf('/free/x', basic('alice', 'wrong'))).toBe(200)
  expect(await statusOf('/ended/x')).toBe(200)
})

test('no spelling of a path bypasses a rule, and guards come first', async () => {
  for (const path of ['/staff%2Fx', '//staff/x', '/free/../staff/x', '/free/..%2fstaff/x', '/%73taff/x'])
    expect([path, await statusOf(path)]).toEqual([path, 401])
  expect(await statusOf('/staff/denied', basic('alice', 'correct horse'))).toBe(403)
  // Being on the allow list does not replace a password.
  expect(await statusOf('/staff/x', { 'x-forwarded-for': '203.0.113.50' })).toBe(401)
})

test('a rule may forward credentials to the origin; responses are then not shared', async () => {
  const shown = basic('alice', 'correct horse')
  const answer = await get('/told/page', shown)
  expect([answer.status, seen(answer.body).authorization]).toEqual([200, shown.authorization])
  const withKey = await get(`/asked/live?a=1&key=${goodKey}`)
  expect(seen(withKey.body).url).toBe(`/asked/live?a=1&key=${goodKey}`)
})

test('a rule in observe mode refuses nobody, removes nothing and is logged', async () => {
  const shown = basic('alice', 'wrong')
  const answer = await get('/watched/live', shown)
  expect([answer.status, seen(answer.body).authorization]).toEqual([200, shown.authorization])
  expect(await statusOf('/watched/other')).toBe(200)
  await until('the rows of both', () => box.rows().filter(({ rule }) => rule === 3).length === 2)
  expect(box.rows().find(({ rule }) => rule === 3)).toMatchObject({ guard: 'authRules', action: 'observe', cause: 904 })
})

test.each([
  ['header', `/header/`, { 'x-api-key': goodKey }, ''],
  ['query', `/query/`, {}, `?a=1&key=${goodKey}&b=2`],
  ['cookie', `/cookie/`, { cookie: `theme=dark; api=${goodKey}` }, ''],
  ['bearer', `/bearer/`, { authorization: `Bearer ${goodKey}` }, ''],
] as const)('a key in the %s passes, and is removed at the edge', async (_, path, headers, query) => {
  const answer = await get(`${path}live${query}`, { ...headers })
  expect(answer.status).toBe(200)
  expect(answer.body.toString()).not.toContain(goodKey)
  expect(seen(answer.body).url).toBe(`${path}live${query === '' ? '' : '?a=1&b=2'}`)
  expect(await statusOf(`${path}live`)).toBe(401)
})

test('all keys share one stored object, however they are sent', async () => {
  expect(cacheOf(await get(`/query/page?key=${goodKey}`))).toBe('MISS')
  const other = await get(`/query/page?key=${encodeURIComponent(otherKey)}`)
  expect([other.status, cacheOf(other)]).toEqual([200, 'HIT'])
  for (const wrong of ['switched-off-key-0', 'key-of-sixteen-char', '']) {
    expect(await statusOf(`/query/page?key=${wrong}`)).toBe(401)
    expect(await statusOf('/header/page', { 'x-api-key': wrong })).toBe(401)
  }
  expect(header(await get('/header/page'), 'www-authenticate')).toBe('ApiKey realm="Staff \\"only\\""')
  // A guard refuses the request before the key is checked: the key is not logged either.
  expect(await statusOf(`/query/denied?a=1&key=${goodKey}`)).toBe(403)
  await until('its row', () => box.rows().some(({ path }) => path === '/query/denied'))
  expect(box.rows().find(({ path }) => path === '/query/denied')?.query).toBe('a=1')
  expect(JSON.stringify(box.rows().filter(({ path }) => !path.startsWith('/asked')))).not.toContain(goodKey)
})

test('a token of each algorithm passes while it is valid, and is removed at the edge', async () => {
  const exp = now() + 60
  const right = [
    token({ alg: 'HS256' }, { exp, nbf: now() - 5 }),
    token({ alg: 'RS256', kid: 'r' }, { exp, iss: 'https://id.test', aud: ['other', 'shop'] }),
    token({ alg: 'RS256', kid: 'r' }, { exp, iss: 'https://id.test', aud: 'shop' }),
    token({ alg: 'RS512', kid: 'r512' }, { exp }),
    token({ alg: 'PS256', kid: 'p' }, { exp }),
    token({ alg: 'EdDSA', kid: 'ed' }, { exp }),
    token({ alg: 'EdDSA', kid: 'claims' }, { exp, role: ['user', 'admin'], scope: 'write read', level: 3 }),
    // Many, because the numbers in a signature may begin with zeros.
    ...Array.from({ length: 40 }, (_, n) => token({ alg: 'ES256', kid: 'e' }, { exp, n })),
  ]
  for (const headers of right) {
    const answer = await get('/token/live', headers)
    expect(answer.status).toBe(200)
    expect(seen(answer.body).authorization).toBeUndefined()
  }
  // Again: now it comes from the cache of verified tokens.
  expect(await statusOf('/token/live', right[1])).toBe(200)
})

test('a token of an unknown key, of another algorithm, or outside its validity is refused', async () => {
  const exp = now() + 60
  const of = { iss: 'https://id.test', aud: 'shop', exp }
  const good = token({ alg: 'RS256', kid: 'r' }, of).authorization
  const wrong = {
    none: token({ alg: 'none' }, { exp }, () => Buffer.alloc(0)),
    noneWithSignature: token({ alg: 'none', kid: 'e' }, { exp }, makes.ES256),
    publicKeyAsSecret: token({ alg: 'HS256', kid: 'r' }, of, (text) => makes.HS256(text, spki(rsa))),
    otherAlgorithm: token({ alg: 'ES256', kid: 'r' }, of),
    derSignature: token({ alg: 'ES256', kid: 'e' }, { exp }, (text) =>
      sign('sha256', Buffer.from(text), ec.privateKey),
    ),
    emptySignature: token({ alg: 'ES256', kid: 'e' }, { exp }, () => Buffer.alloc(64)),
    unknownKey: token({ alg: 'HS256', kid: 'unknown' }, { exp }),
    switchedOff: token({ alg: 'ES256', kid: 'off' }, { exp }),
    kidIsNoText: token({ alg: 'HS256', kid: 1 }, { exp }),
    otherSecret: token({ alg: 'HS256' }, { exp }, (text) => makes.HS256(text, 'another secret of 32 bytes or more')),
    critical: token({ alg: 'HS256', crit: ['x'] } as never, { exp }),
    noEnd: token({ alg: 'HS256' }, {}),
    ended: token({ alg: 'HS256' }, { exp: now() - 70 }),
    endIsNoNumber: token({ alg: 'HS256' }, { exp: `${exp}` }),
    notYet: token({ alg: 'HS256' }, { exp: exp + 600, nbf: now() + 120 }),
    otherIssuer: token({ alg: 'RS256', kid: 'r' }, { ...of, iss: 'https://evil.test' }),
    hashOfAnother: token({ alg: 'RS512', kid: 'r512' }, { exp }, makes.RS256),
    paddingOfAnother: token({ alg: 'PS256', kid: 'p' }, { exp }, makes.RS256),
    noClaims: token({ alg: 'EdDSA', kid: 'claims' }, { exp }),
    otherRole: token({ alg: 'EdDSA', kid: 'claims' }, { exp, role: 'user', scope: 'read', level: 3 }),
    halfScope: token({ alg: 'EdDSA', kid: 'claims' }, { exp, role: 'admin', scope: 'readall', level: 3 }),
    roleInPart: token({ alg: 'EdDSA', kid: 'claims' }, { exp, role: { 0: 'x', admin: true }, scope: 'read', level: 3 }),
    otherAudience: token({ alg: 'RS256', kid: 'r' }, { ...of, aud: ['other'] }),
    changed: { authorization: good.replace(/\.[^.]+\./, `.${part({ ...of, exp: exp + 9 })}.`) },
    cut: { authorization: good.slice(0, -8) },
    noToken: { authorization: 'Bearer x' },
    noJson: { authorization: 'Bearer e30.W10.AAAA' },
  }
  for (const [name, headers] of Object.entries(wrong))
    expect([name, await statusOf('/token/x', headers)]).toEqual([name, 401])
  expect(header(await get('/token/x', wrong.ended), 'www-authenticate')).toContain('error="invalid_token"')
  expect(header(await get('/token/x'), 'www-authenticate')).toBe('Bearer realm="Staff \\"only\\""')
  // Clocks may differ by up to a minute.
  expect(await statusOf('/token/x', token({ alg: 'HS256' }, { exp: now() - 30 }))).toBe(200)
})

test('an address that guesses is blocked for a while, except for logins that succeeded before', async () => {
  const from = { 'x-forwarded-for': '192.0.2.77' }
  expect(await statusOf('/staff/known', { ...from, ...basic('alice', 'correct horse') })).toBe(200)
  const tried = Array.from({ length: 10 }, (_, n) => statusOf('/staff/x', { ...from, ...basic('alice', `guess ${n}`) }))
  // In parallel, some may be told to retry later: those are not counted.
  let failed = (await Promise.all(tried)).filter((status) => status === 401).length
  for (; failed < 10; failed++)
    expect(await statusOf('/staff/x', { ...from, ...basic('alice', `more ${failed}`) })).toBe(401)
  expect(await statusOf('/staff/x', { ...from, ...basic('zoë', 'pässword:with wrong') })).toBe(429)
  expect(await statusOf('/staff/known', { ...from, ...basic('alice', 'correct horse') })).toBe(200)
  // Neither the other group nor other addresses are affected.
  expect(await statusOf('/header/x', { ...from, 'x-api-key': goodKey })).toBe(200)
  expect(await statusOf('/staff/x', basic('zoë', 'wrong'))).toBe(401)
})

test('while passwords are being checked, a request to another site is answered first', async () => {
  const patient = { patience: 60_000 }
  const ended: string[] = []
  const shown = (text: string) => ({ path: '/staff/y', headers: { ...fromNew(), ...basic('alice', text) }, ...patient })
  const guesses = Array.from({ length: 20 }, async (_, n) => {
    const { status } = await ask(box, '1.1', 'site.test', shown(`slow ${n}`))
    ended.push('guess')
    // Requests that find no place in the queue are told to retry later.
    expect([401, 503]).toContain(status)
  })
  const neighbour = ask(box, '1.1', 'neighbour.test', { path: '/page', ...patient }).then(({ status }) => {
    expect(status).toBe(200)
    ended.push('neighbour')
  })
  await Promise.all([...guesses, neighbour])
  // Checked inline one by one, the guesses would have been answered first, as they came first.
  expect(ended.at(-1)).toBe('guess')
})

test('a refusal is logged as one row with its rule, and Explain shows who must authenticate', async () => {
  expect(await statusOf('/staff/row')).toBe(401)
  await until('its row', () => box.rows().some(({ path }) => path === '/staff/row'))
  const row = box.rows().find(({ path }) => path === '/staff/row')
  expect(row).toMatchObject({ guard: 'authRules', rule: 1, cause: 904, status: 401, action: 'block' })
  const explain = async (path: string, headers: Record<string, string>) => {
    const request = {
      ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path, query: '', headers },
      ...{ scheme: 'http', time: Math.floor(Date.now() / 1000), country: 'TW' },
    }
    return box.control<{ verdict: string; steps: object[] }>('POST', '/explain', { artefact, request })
  }
  const asked = await explain('/staff/x', {})
  expect(asked.verdict).toBe('block')
  expect(asked.steps).toContainEqual(expect.objectContaining({ guard: 'authRules', outcome: 'block', rule: 1 }))
  expect((await explain('/staff/x', basic('alice', 'x'))).verdict).toBe('pass')
  const watched = await explain('/watched/x', {})
  expect(watched.verdict).toBe('pass')
  expect(watched.steps).toContainEqual(expect.objectContaining({ guard: 'authRules', outcome: 'observe', rule: 3 }))
})

test('during an attack a valid key or token is not challenged, but rate limits still apply', async () => {
  const seen = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(box, '1.1', 'attacked.test', { path, headers: { ...fromNew(), ...headers } })).status
  const key = { 'x-api-key': goodKey }
  expect(await seen('/header/x')).toBe(401)
  await box.control('POST', '/tallies', { attacks: [3], keys: [] })
  const right = token({ alg: 'HS256', kid: '' }, { exp: now() + 60 })
  expect([await seen('/header/x', key), await seen(`/query/x?key=${goodKey}`), await seen('/token/x', right)]).toEqual([
    ...[200, 200, 200],
  ])
  // A key has no effect where no rule requires it; wrong keys and passwords do not count.
  const wrong = { 'x-api-key': `${goodKey}x` }
  const others = [seen('/', key), seen('/header/x', wrong), seen('/header/x')]
  const passwords = [seen('/staff/x', basic('alice', 'correct horse')), seen('/watched/x', basic('alice', 'x'))]
  expect(await Promise.all([...others, ...passwords])).toEqual([503, 503, 503, 503, 503])
  const one = { ...key, 'x-forwarded-for': '203.0.113.77' }
  const rated = []
  for (let n = 0; n < 3; n++) {
    const answer = await ask(box, '1.1', 'attacked.test', {
      path: '/header/slow',
      headers: { accept: 'text/html', ...one },
    })
    rated.push([answer.status, header(answer, 'content-type')])
  }
  expect([rated[0]![0], rated[2]]).toEqual([200, [503, 'application/problem+json']])
  await box.control('POST', '/tallies', { attacks: [], keys: [] })
  expect([await seen('/header/x'), await seen('/header/x', key)]).toEqual([401, 200])
})

test('a wrong key counts once against its address, even if it was also checked before the challenge', async () => {
  const seen = async (last: string, headers: Record<string, string>) =>
    (await ask(box, '1.1', 'attacked.test', { path: '/header/x', headers: { 'x-forwarded-for': last, ...headers } }))
      .status
  await box.control('POST', '/tallies', { attacks: [3], keys: [] })
  for (let n = 0; n < 9; n++) expect(await seen('203.0.113.78', { 'x-api-key': `wrong-key-number-${n}` })).toBe(503)
  await box.control('POST', '/tallies', { attacks: [], keys: [] })
  expect(await seen('203.0.113.78', { 'x-api-key': 'wrong-key-number-9' })).toBe(401)
  expect(await seen('203.0.113.78', { 'x-api-key': 'wrong-key-number-10' })).toBe(429)
})
