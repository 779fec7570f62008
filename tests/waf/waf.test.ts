/** The WAF on the wire: the Core Rule Set as the control plane compiles it, enforced by a node with nginx. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { Explanation, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { EdgeWafRule } from '@breakwater/contract/edge/module-parts.ts'
import { apiExceptions } from '@breakwater/contract/modules/waf-exceptions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { ask, type Version, versions } from '../../edge/box/transparent/ask.ts'
import { compileRules } from '../../server/src/waf/compile.ts'
import { compileFolder } from '../../server/src/waf/compile-folder.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import { attackRequests, benignRequests } from '../../server/src/waf/corpus.ts'

let box: Box
let origin: StubOrigin
let artefact: string
let guarded: string
let ofZone: string
let inShadow: string
let noisy: string
let ofCore: string
const key = 'key-of-sixteen-chars'

const always = { urlRegex: '', methods: [], blockType: 0, target: '' }
const exceptions: EdgeWafRule[] = [
  { ...always, id: 1, rule: 941100, action: 'off', urlRegex: '^/editor$', target: 'arg:html' },
  { ...always, id: 2, rule: 0, action: 'off', urlRegex: '^/editor$', target: 'arg:html' },
  { ...always, id: 3, rule: 0, action: 'off', urlRegex: '^/trusted/' },
  { ...always, id: 4, rule: 0, action: 'observe', urlRegex: '^/watched/' },
  { ...always, id: 5, rule: 920350, action: 'enforce' },
  { ...always, id: 6, rule: 913100, action: 'enforce', blockType: 1 },
  { ...always, id: 8, rule: 920420, action: 'off', urlRegex: '^/upload$' },
  { ...always, id: 7, rule: 0, action: 'off', urlRegex: '^/ended', expiresAt: 1 },
  { ...always, id: 9, rule: 920420, action: 'off', urlRegex: '^/told/' },
  { ...always, id: 10, rule: 0, action: 'off', urlRegex: '^/told/', target: 'arg:html' },
  { ...always, id: 11, rule: 941100, action: 'observe', urlRegex: '^/told/' },
]

/** Each tests what libmodsecurity 3.0.9 does with a no-break space, as one byte or in UTF-8. */
const noBreakSpaces = [
  ['entity', 'htmlEntityDecode', '^a\\xa0b$', 'a%26nbsp;b'],
  ['utf8-is-not-it', 'htmlEntityDecode', '^a\\xc2\\xa0b$', 'a%C2%A0b'],
  ['dropped', 'removeWhitespace', '^ab$', 'a%C2%A0+%A0b'],
  ['in-no-run', 'compressWhitespace', '^a \\xa0 b$', 'a++%A0+%09b'],
] as const
const ownRules = noBreakSpaces
  .map(
    ([argument, transform, expression], n) =>
      `SecRule ARGS:${argument} "@rx ${expression}" "id:${n + 1},phase:2,block,t:none,t:${transform},severity:'CRITICAL',setvar:'tx.anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`,
  )
  .join('\n')

/** A rule set uploaded by an operator. */
const zoneRules = (id: number, word: string) =>
  compileRules({
    ...{ name: 'zone', settings: new Map(), readWords: () => '' },
    files: [
      {
        name: 'zone.conf',
        text: `SecRule ARGS "@rx ${word}\\s+word" "id:${id},phase:2,block,t:none,t:lowercase,setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`,
      },
    ],
  }).part

/** The Core Rule Set as uploaded by an operator, with a setup and exclusions of their own. */
function withSetup(): Map<string, string> {
  const folder = '/usr/share/modsecurity-crs/rules'
  const files = readdirSync(folder).filter((name) => /\.(?:conf|data)$/.test(name))
  return new Map([
    ...files.map((name): [string, string] => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
    [
      'crs-setup.conf',
      `SecAction "id:900200,phase:1,nolog,pass,t:none,setvar:'tx.allowed_methods=GET HEAD POST OPTIONS PUT'"
SecAction "id:900300,phase:1,nolog,pass,t:none,setvar:tx.max_num_args=3,setvar:tx.paranoia_level=4"`,
    ],
    [
      'REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf',
      `SecRule REQUEST_FILENAME "@beginsWith /editor/" "id:1000,phase:1,pass,nolog,ctl:ruleRemoveByTag=attack-xss"
SecRule REQUEST_FILENAME "@endsWith /query" "id:1001,phase:1,pass,nolog,ctl:ruleRemoveTargetByTag=attack-sqli;ARGS:q"`,
    ],
    [
      'RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf',
      `SecRuleRemoveById 920350
SecRuleUpdateTargetByTag "attack-sqli" "!ARGS:password"`,
    ],
  ])
}

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    response.setHeader('cache-control', 'no-store').end(request.url)
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const rules = coreRuleSet().part
    const site = (id: number, host: string, module: object) =>
      disk.site({
        ...{ site: id, hosts: [host], origins: [{ port: origin.port }], requires: ['waf'] },
        waf: { rules, module },
      })
    const first = site(1, 'site.test', { rules: exceptions })
    artefact = first.artefact ?? ''
    disk.feed(first)
    disk.feed(site(2, 'watched.test', { mode: 'observe', overBudget: 'pass' }))
    disk.feed(site(3, 'open.test', { overBudget: 'pass', threshold: 6, blockType: 1 }))
    disk.feed(disk.site({ site: 4, hosts: ['none.test'], origins: [{ port: origin.port }] }))
    const staff = disk.site({
      ...{ site: 5, hosts: ['staff.test'], origins: [{ port: origin.port }], requires: ['waf', 'authRules'] },
      waf: { rules },
      firewall: {
        bodyRules: [
          {
            id: 9,
            urlRegex: '',
            methods: [],
            contains: 'forbidden',
            oversize: 'block' as const,
            mode: 'enforce' as const,
          },
        ],
      },
      auth: {
        rules: [
          {
            ...{ id: 10, urlRegex: '', mode: 'enforce', type: 'key', group: 'authGroup-1@1', realm: 'staff' },
            ...{ forward: false, place: { in: 'header', name: 'X-Api-Key' } },
          },
        ],
        groups: { 'authGroup-1@1': { 1: { hash: createHash('sha256').update(key).digest('base64') } } },
      },
    })
    guarded = staff.artefact ?? ''
    disk.feed(staff)
    const api = apiExceptions.map(
      ({ ruleID, methodValues }, n): EdgeWafRule => ({
        ...{ ...always, id: 20 + n, rule: ruleID, action: 'off', methods: methodValues },
      }),
    )
    disk.feed(site(6, 'api.test', { rules: api }))
    const { part } = compileRules({
      ...{ name: 'own', settings: new Map([['critical_anomaly_score', '5']]), readWords: () => '' },
      files: [{ name: 'REQUEST-900-OWN.conf', text: ownRules }],
    })
    disk.feed(
      disk.site({
        ...{ site: 7, hosts: ['own.test'], origins: [{ port: origin.port }], requires: ['waf'] },
        waf: { rules: part, module: {} },
      }),
    )
    ofCore = disk.part(rules)
    ofZone = disk.part(zoneRules(700_001, 'forbidden'))
    noisy = disk.part({
      ...zoneRules(700_004, 'quiet'),
      rules: [
        ...compileRules({
          ...{ name: 'noisy', settings: new Map(), readWords: () => '' },
          files: [
            {
              name: 'noisy.conf',
              text: `SecRule REQUEST_METHOD "@rx ." "id:700003,phase:1,block,t:none,setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`,
            },
          ],
        }).part.rules,
        ...zoneRules(700_004, 'quiet').rules,
      ],
    })
    disk.feed(site(8, 'strict.test', { rules: [{ ...always, id: 30, rule: 700_003, action: 'enforce' }] }))
    inShadow = disk.part(zoneRules(700_002, 'hidden'))
    disk.feed(
      disk.site({
        ...{ site: 9, hosts: ['setup.test'], origins: [{ port: origin.port }], requires: ['waf'] },
        waf: { rules: compileFolder(withSetup(), 'own').part, module: {} },
      }),
    )
  })
  expect(await get('/first')).toBe(200)
  await givePrefilter(box)
}, 600_000)
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const browser = { accept: '*/*', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
type Sent = {
  method?: string
  host?: string
  headers?: Record<string, string>
  body?: string | Buffer
  version?: Version
}
async function get(path: string, { host = 'site.test', headers = {}, body, version = '1.1', method }: Sent = {}) {
  const { status } = await ask(box, version, host, {
    ...{ method: method ?? (body === undefined ? 'GET' : 'POST'), path, headers: { ...browser, ...headers }, body },
  })
  return status
}
const typed = (type: string, body: string) => ({ body, headers: { 'content-type': type } })

/** The log's row for the path, once there is one. */
async function row(path: string) {
  const found = () => box.rows().find((one) => one.path === path)
  await until(`the row of ${path}`, found)
  const { guard, rule, action, waf, wafScore, cause } = found()!
  return { guard, rule, action, waf, wafScore, cause }
}

const sqli = "1' or '1'='1' -- "
const xss = '<script>alert(1)</script>'
const multipart = (name: string, value: string) =>
  `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--xyz--\r\n`

test.each(versions)(
  'attacks are refused wherever they occur, and ordinary requests pass, over HTTP/%s',
  async (version) => {
    const encoded = encodeURIComponent(sqli)
    const form = 'application/x-www-form-urlencoded'
    for (const [path, sent] of [
      [`/?id=${encoded}`, {}],
      ['/', { headers: { cookie: `session=${sqli}` } }],
      ['/', { headers: { 'x-forwarded-host': 'a', referer: xss } }],
      ['/?file=../../../../etc/passwd', {}],
      ['/', typed(form, `id=${encoded}`)],
      ['/', typed('application/json', JSON.stringify({ user: { names: ['a', sqli] } }))],
      ['/', typed('multipart/form-data; boundary=xyz', multipart('comment', xss))],
      ['/', typed('application/xml', `<a><b>${xss.replaceAll('<', '&lt;')}</b></a>`)],
    ] as [string, Sent][])
      expect([path, sent, await get(path, { ...sent, version })]).toEqual([path, sent, 403])
    for (const [path, sent] of [
      ['/search?q=shoes+and+socks&page=2', {}],
      ['/', { headers: { cookie: 'session=0123456789abcdef; theme=dark' } }],
      ['/', typed(form, 'name=Ada+Lovelace&city=London')],
      ['/', typed('application/json', '{"user":{"name":"Ada","tags":["a","b"],"age":36,"more":null}}')],
      ['/', typed('multipart/form-data; boundary=xyz', multipart('comment', 'Good shoes.'))],
      ['/upload', typed('image/png', sqli)],
    ] as [string, Sent][])
      expect([path, sent, await get(path, { ...sent, version })]).toEqual([path, sent, 200])
  },
)

test('the row names the rules, where they matched and the score', async () => {
  expect(await get(`/told?id=${encodeURIComponent(sqli)}`)).toBe(403)
  const told = await row('/told')
  expect(told).toMatchObject({ guard: 'waf', rule: 942100, action: 'block', cause: 904 })
  expect(told.waf).toMatch(/^942100:5:ARGS:id(?: |$)/)
  expect(told.wafScore).toBeGreaterThanOrEqual(5)
})

test('observe passes requests and logs what it would have refused; below the threshold a match is only logged', async () => {
  expect(await get(`/seen?id=${encodeURIComponent(sqli)}`, { host: 'watched.test' })).toBe(200)
  expect(await row('/seen')).toMatchObject({ guard: 'waf', rule: 942100, action: 'observe' })
  expect(await get('/below', { host: 'open.test', headers: { range: 'bytes=9-1' } })).not.toBe(403)
  expect(await row('/below')).toMatchObject({ guard: 'waf', rule: 920190, action: 'observe', wafScore: 3 })
})

test('exceptions apply to their URL, for their value and until they end; a single rule may refuse or challenge by itself', async () => {
  const attack = `html=${encodeURIComponent(xss)}`
  expect(await get(`/editor?${attack}`)).toBe(200)
  expect(await get(`/editor?other=${encodeURIComponent(xss)}`)).toBe(403)
  expect(await get(`/other?${attack}`)).toBe(403)
  expect(await get(`/trusted/x?${attack}`)).toBe(200)
  expect(await get(`/watched/x?${attack}`)).toBe(200)
  expect(await row('/watched/x')).toMatchObject({ guard: 'waf', action: 'observe' })
  expect(await get(`/ended?${attack}`)).toBe(403)
  expect(await get('/', { headers: { 'user-agent': 'sqlmap/1.0' } })).toBe(503)
})

test('a row names the exceptions that removed something from its request, and no others', async () => {
  const attack = encodeURIComponent(xss)
  expect(await get('/told/nothing?q=a')).toBe(200)
  expect(await get('/told/type', typed('application/x-own', 'a=1'))).toBe(200)
  expect(await get(`/told/value?html=${attack}`)).toBe(200)
  expect(await get('/told/value-without?html=a')).toBe(200)
  expect(await get(`/told/watched?q=${attack}`)).toBe(403)
  expect((await row('/told/nothing')).waf).toBe('')
  expect(await row('/told/type')).toMatchObject({ guard: '', action: 'pass', waf: 'except:9', wafScore: 0 })
  expect((await row('/told/value')).waf).toBe('except:10')
  expect((await row('/told/value-without')).waf).toBe('')
  expect((await row('/told/watched')).waf).toMatch(/^941100:5:ARGS:q .* except:11$/)
  // If no rule is run, one request per second is reported: the others keep their short rows.
  await until('a request that was left unasked', async () => {
    await get('/trusted/told')
    return box.rows().some(({ path, waf }) => path === '/trusted/told' && waf === 'except:3')
  })
  const unasked = box.rows().filter(({ path }) => path.startsWith('/trusted/'))
  expect(new Set(unasked.map(({ waf }) => waf))).toEqual(new Set(['', 'except:3']))
})

test('what cannot be inspected completely passes or is refused as the site has configured, and is logged', async () => {
  const long = typed('application/x-www-form-urlencoded', `a=${'x'.repeat(140_000)}`)
  const many = Array.from({ length: 1001 }, (_, n) => `a${n}=1`).join('&')
  const wrong = typed('application/json', '{"a":')
  const cases: [string, Sent, string][] = [
    ['/long', long, 'body'],
    ['/many', typed('application/x-www-form-urlencoded', many), 'values'],
    ['/wrong', wrong, 'malformed'],
  ]
  for (const [path, sent] of cases) {
    expect([path, await get(path, sent)]).toEqual([path, 403])
    expect([path, await get(`${path}-open`, { ...sent, host: 'open.test' })]).toEqual([path, 200])
  }
  for (const [path, , why] of cases) {
    expect(await row(path)).toMatchObject({ guard: 'waf', rule: 0, action: 'block', waf: `budget:${why}` })
    expect(await row(`${path}-open`)).toMatchObject({ guard: 'waf', action: 'observe', waf: `budget:${why}` })
  }
})

test('no-break spaces are decoded, dropped and kept as libmodsecurity does', async () => {
  for (const [argument, , , value] of noBreakSpaces)
    expect([argument, await get(`/nbsp?${argument}=${value}`, { host: 'own.test' })]).toEqual([argument, 403])
  expect(await get('/nbsp?entity=a%C2%A0b', { host: 'own.test' })).toBe(200)
  expect(await get('/', { headers: { 'x-filename': Buffer.from('shell.ph\u00a0p').toString('latin1') } })).toBe(403)
})

test('each value that a rule matches is reported separately, so that an exception for one leaves the other', async () => {
  const attack = encodeURIComponent(xss)
  expect(await get(`/editor?html=${attack}&other=${attack}`)).toBe(403)
  const found = () => box.rows().find(({ waf }) => waf?.includes('ARGS:other') && !waf.includes('ARGS:html'))
  await until('the row', found)
  expect(await get(`/both?a=${attack}&b=${attack}`)).toBe(403)
  expect((await row('/both')).waf).toMatch(/941100:5:ARGS:a 941100:5:ARGS:b/)
})

test('the setup and the exclusions of an uploaded rule set apply', async () => {
  const host = 'setup.test'
  const json = typed('application/json', '{"name":"Ada"}')
  expect(await get('/items/1', { ...json, method: 'PUT' })).toBe(403)
  expect(await get('/items/1', { ...json, method: 'PUT', host })).toBe(200)
  expect(await get('/items/1', { ...json, method: 'PATCH', host })).toBe(403)
  expect(await get('/few?a=1&b=2&c=3', { host })).toBe(200)
  expect(await get('/too-many?a=1&b=2&c=3&d=4', { host })).toBe(403)
  expect(await row('/too-many')).toMatchObject({ guard: 'waf', rule: 920380 })
  expect(await get('/too-many?a=1&b=2&c=3&d=4')).toBe(200)
  const injected = encodeURIComponent(sqli)
  expect(await get(`/?password=${injected}`)).toBe(403)
  expect(await get(`/?password=${injected}`, { host })).toBe(200)
  expect(await get(`/?name=${injected}`, { host })).toBe(403)
  // What earlier rules exclude is excluded only for the requests that they match.
  const script = encodeURIComponent(xss)
  expect(await get(`/editor/page?text=${script}`, { host })).toBe(200)
  expect(await get(`/page?text=${script}`, { host })).toBe(403)
  expect(await get(`/query?q=${injected}`, { host })).toBe(200)
  expect(await get(`/query?p=${injected}`, { host })).toBe(403)
  expect(await get(`/other?q=${injected}`, { host })).toBe(403)
})

test('a site without a module runs no rules', async () => {
  expect(await get(`/free?id=${encodeURIComponent(sqli)}`, { host: 'none.test' })).toBe(200)
  expect(await row('/free')).toMatchObject({ guard: '', waf: '', wafScore: 0 })
})

test('Explain names the rules of a request that it gets with its body', async () => {
  const request: SimulatedRequest = {
    ...{
      site: 1,
      host: 'site.test',
      address: '192.0.2.1',
      method: 'POST',
      path: '/',
      query: '',
      time: 1,
      country: 'ZZ',
    },
    headers: { ...browser, 'content-type': 'application/json', 'content-length': '30' },
    body: JSON.stringify({ id: sqli }),
  }
  const told = await box.control<Explanation>('POST', '/explain', { artefact, request })
  expect(told.verdict).toBe('block')
  expect(told.steps.find(({ guard }) => guard === 'waf')).toMatchObject({ outcome: 'block', rule: 942100 })
})

test('authentication comes first: no body is read before it, and neither the WAF nor the origin sees anything', async () => {
  const form = 'application/x-www-form-urlencoded'
  const attack = (path: string, body: string, shown = {}) =>
    get(path, { host: 'staff.test', body, headers: { 'content-type': form, ...shown } })
  const shown = { 'x-api-key': key }
  for (const [path, body] of [
    ['/stranger', `id=${encodeURIComponent(sqli)}`],
    ['/stranger-rule', 'a=forbidden'],
    // An attack in the URL is also refused by the authentication, which runs before the whole WAF.
    [`/stranger-url?id=${encodeURIComponent(sqli)}`, 'a=b'],
  ] as const)
    expect([path, await attack(path, body)]).toEqual([path, 401])
  expect(await attack('/staff', `id=${encodeURIComponent(sqli)}`, shown)).toBe(403)
  expect(await attack('/staff-rule', 'a=forbidden', shown)).toBe(403)
  expect(await attack('/staff-plain', 'a=b', shown)).toBe(200)
  for (const path of ['/stranger', '/stranger-rule', '/stranger-url'])
    expect(await row(path)).toMatchObject({ guard: 'authRules', rule: 10, action: 'block', waf: '', wafScore: 0 })
  expect(await row('/staff')).toMatchObject({ guard: 'waf', rule: 942100, action: 'block' })
  expect(await row('/staff-rule')).toMatchObject({ guard: 'bodyRules', rule: 9, action: 'block' })
  expect(origin.asked.map(({ url }) => url).filter((url) => /^\/sta|^\/stranger/.test(url))).toEqual(['/staff-plain'])
})

test('the answer to an unauthenticated client does not wait for the body', async () => {
  const request = httpRequest({
    ...{ port: box.settings.httpPort, host: '127.0.0.1', agent: false, method: 'POST', path: '/unsent' },
    headers: { ...browser, host: 'staff.test', 'content-type': 'text/plain', 'content-length': '1000' },
  })
  request.on('error', () => undefined).flushHeaders()
  const [answer] = await once(request, 'response')
  expect(answer.statusCode).toBe(401)
  request.destroy()
})

test('Explain uses the same order', async () => {
  const explain = async (headers: Record<string, string>) => {
    const request: SimulatedRequest = {
      ...{ site: 5, host: 'staff.test', address: '192.0.2.1', method: 'GET', path: '/' },
      ...{ query: `id=${encodeURIComponent(sqli)}`, time: 1, country: 'ZZ', headers: { ...browser, ...headers } },
    }
    const { verdict, steps } = await box.control<Explanation>('POST', '/explain', { artefact: guarded, request })
    return { verdict, steps: steps.slice(-4).map(({ guard, outcome }) => `${guard} ${outcome}`) }
  }
  expect(await explain({})).toEqual({
    verdict: 'block',
    steps: ['authRules block', 'apiShield skipped', 'waf skipped', 'bodyRules skipped'],
  })
  const known = await explain({ 'x-api-key': key })
  expect(known).toEqual({
    verdict: 'block',
    steps: ['authRules passed', 'apiShield passed', 'waf block', 'bodyRules skipped'],
  })
})

test.each(versions)(
  'with the exceptions for an API its requests pass, and attacks do not, over HTTP/%s',
  async (version) => {
    const json = { 'content-type': 'application/json' }
    const picture = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      Buffer.from(sqli),
      Buffer.alloc(2000, 0xff),
    ])
    const item = JSON.stringify({ name: 'Ada', price: 12.5, tags: ['a'] })
    const ordinary: [string, string, Sent][] = [
      ['PUT', '/items/1', { body: item, headers: json }],
      ['PATCH', '/items/1', { body: item, headers: { 'content-type': 'application/merge-patch+json' } }],
      ['DELETE', '/items/1', {}],
      ['POST', '/items', { body: item, headers: { 'content-type': 'application/vnd.api+json' } }],
      ['PUT', '/items/1/picture', { body: picture, headers: { 'content-type': 'image/png' } }],
      ['POST', '/files', { body: picture, headers: { 'content-type': 'application/octet-stream' } }],
      ['OPTIONS', '/items', {}],
    ]
    for (const [method, path, sent] of ordinary) {
      const status = await get(path, { ...sent, version, method, host: 'api.test' })
      expect([method, path, status]).toEqual([method, path, 200])
      if (method !== 'OPTIONS') expect(await get(path, { ...sent, version, method })).toBe(403)
    }
    const attack = JSON.stringify({ name: sqli })
    for (const method of ['PUT', 'PATCH', 'POST'])
      expect(await get('/items/1', { version, method, host: 'api.test', body: attack, headers: json })).toBe(403)
    expect(await get(`/items/1?id=${encodeURIComponent(sqli)}`, { version, method: 'DELETE', host: 'api.test' })).toBe(
      403,
    )
    expect(await get('/items', { version, method: 'TRACK', host: 'api.test' })).not.toBe(200)
  },
)

test('the rule set of the zone replaces the one that sites name, and sites have theirs back without it', async () => {
  const attack = `/zone?id=${encodeURIComponent(sqli)}`
  const configure = (wafRules?: string) =>
    box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, ...(wafRules && { wafRules }) })
  expect(await get('/zone?q=Forbidden++word')).toBe(200)
  await configure(ofZone)
  // Until the worker has the prefilter of the new one, the old one decides.
  expect(await get(attack)).toBe(403)
  await givePrefilter(box)
  expect(await get('/zone-new?q=Forbidden++word')).toBe(403)
  expect(await row('/zone-new')).toMatchObject({ guard: 'waf', rule: 700_001, action: 'block', waf: '700001:5:ARGS:q' })
  expect(await get(attack)).toBe(200)
  expect(await get(attack, { host: 'watched.test' })).toBe(200)
  await expect(configure('0'.repeat(64))).rejects.toThrow()
  expect(await get('/zone?q=Forbidden++word')).toBe(403)
  await configure()
  expect(await get('/zone?q=Forbidden++word')).toBe(200)
  expect(await get(attack)).toBe(403)
})

test('rules that the zone observes in its new rule set are logged and never count, until they are released', async () => {
  const configure = (revision: number, more: object) =>
    box.control('POST', '/configuration', { revision, forceSSLRedirectCode: 301, ...more })
  const isAtWork = (revision: number) =>
    until(`revision ${revision} at work`, async () => (await box.state()).configuration === revision)
  await configure(11, { wafRules: noisy, wafObserved: [700_003] })
  // The revision is not in force before the workers have its prefilter, which they fetch without any request.
  await until('the wait for its prefilter', async () => (await box.state()).prefilter?.ruleSet === noisy)
  expect((await box.state()).configuration).toBeLessThan(11)
  await givePrefilter(box)
  await isAtWork(11)
  // Every request matches it, and none is refused: not by its score, and not where a site lets it refuse by itself.
  expect(await get('/ordinary')).toBe(200)
  expect(await row('/ordinary')).toMatchObject({
    ...{ guard: 'waf', rule: 700_003, action: 'observe', wafScore: 0 },
    waf: '700003:5:REQUEST_METHOD new:700003',
  })
  expect(await get('/strict', { host: 'strict.test' })).toBe(200)
  // Other rules count as before.
  expect(await get('/quiet?q=quiet+word')).toBe(403)
  expect(await row('/quiet')).toMatchObject({
    ...{ guard: 'waf', rule: 700_004, action: 'block', wafScore: 5 },
    waf: '700003:5:REQUEST_METHOD 700004:5:ARGS:q new:700003',
  })
  await configure(12, { wafRules: noisy })
  await isAtWork(12)
  expect(await get('/released')).toBe(403)
  expect(await row('/released')).toMatchObject({ rule: 700_003, action: 'block', waf: '700003:5:REQUEST_METHOD' })
  await configure(1, {})
  await isAtWork(1)
  expect(await get('/before')).toBe(200)
})

test('the lab reports for each request which rules match it, at all paranoia levels', async () => {
  const asked = async (ruleSet: string, requests: SimulatedRequest[]) => {
    const question = { ruleSet, paranoia: 4, requests }
    const told = await box.control<{ answers: { rules: string; isCut: boolean }[] }>('POST', '/rule-set/hits', question)
    expect(told.answers.length).toBe(requests.length)
    return told.answers
  }
  const benign = benignRequests().slice(0, 60)
  const noisyOnes = await asked(noisy, benign)
  expect(noisyOnes.filter(({ rules }) => rules.split(' ').includes('700003')).length).toBe(benign.length)
  const attack = { ...benign[0]!, query: `id=${encodeURIComponent(sqli)}` }
  const [found] = await asked(ofCore, [attack])
  const levels = new Map(coreRuleSet().texts.map(({ id, level }) => [id, level]))
  expect(found!.isCut).toBe(false)
  expect(new Set(found!.rules.split(' ').map((rule) => levels.get(Number(rule))))).toContain(2)
})

test('a rule set in shadow runs next to the one that decides, and only the row says what it would have done', async () => {
  const configure = (percent?: number) =>
    box.control('POST', '/configuration', {
      ...{ revision: 1, forceSSLRedirectCode: 301 },
      ...(percent && { wafShadow: { rules: inShadow, percent } }),
    })
  await configure(100)
  await givePrefilter(box)
  const shadowOf = async (path: string, { body, host }: Sent = {}) => {
    const status = await get(path, {
      body,
      host,
      headers: body ? typed('application/x-www-form-urlencoded', '').headers : {},
    })
    const found = () => box.rows().find((one) => path.startsWith(`${one.path}?`) || one.path === path)
    await until(`the row of ${path}`, found)
    return [status, found()!.wafShadow]
  }
  const name = inShadow.slice(0, 8)
  expect(await shadowOf('/shadow-1?q=Hidden++word')).toEqual([200, `${name} pass refuse 5 700002:5:ARGS:q`])
  expect(await shadowOf(`/shadow-2?id=${encodeURIComponent(sqli)}`)).toEqual([403, `${name} refuse pass 0 `])
  expect(await shadowOf('/shadow-3', { body: 'a=hidden+word' })).toEqual([200, `${name} pass refuse 5 700002:5:ARGS:a`])
  // A site's exceptions and threshold apply to both.
  expect(await shadowOf('/trusted/shadow-4?q=hidden+word')).toEqual([200, ''])
  expect(await shadowOf('/shadow-5?q=hidden+word', { host: 'open.test' })).toEqual([
    200,
    `${name} pass pass 5 700002:5:ARGS:q`,
  ])
  expect(await shadowOf('/shadow-6?q=hidden+word', { host: 'none.test' })).toEqual([200, ''])
  await configure()
  expect(await shadowOf('/shadow-7?q=hidden+word')).toEqual([200, ''])
})

test('requests that exceed the time of the shadow are not reported as refused by it', async () => {
  await box.control('POST', '/configuration', {
    ...{ revision: 1, forceSSLRedirectCode: 301, wafShadow: { rules: ofCore, percent: 100 } },
  })
  const text = Array.from({ length: 900 }, (_, n) => `word ${n} <b>it's ${n * 7}%</b> $${n};`).join(' ')
  const many = Array.from({ length: 150 }, (_, n) => `/shadow-busy-${n}`)
  for (const path of many)
    await get(path, {
      ...typed('application/x-www-form-urlencoded', `a=${encodeURIComponent(text)}`),
      host: 'watched.test',
    })
  const rows = () => box.rows().filter(({ path }) => path.startsWith('/shadow-busy-'))
  await until('all rows', () => rows().length === many.length)
  const told = rows().map(({ wafShadow = '' }) => wafShadow)
  expect(told.filter((one) => one !== '').length).toBeGreaterThan(0)
  expect(told.filter((one) => one === '').length).toBeGreaterThan(0)
  expect(told.filter((one) => one.includes('budget:time'))).toEqual([])
  await box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301 })
})

test('the lab tests a rule set with ordinary requests and attacks: few of the former are refused, nearly all of the latter', async () => {
  const refused = async (requests: SimulatedRequest[]) => {
    const question = { ruleSet: ofCore, paranoia: 1, requests }
    const { answers } = await box.control<{ answers: { score: number; text: string }[] }>('POST', '/rule-set', question)
    expect(answers.length).toBe(requests.length)
    return answers.filter(({ score }) => score >= 5).length / requests.length
  }
  const levels = new Map(coreRuleSet().texts.map(({ id, level }) => [id, level]))
  expect(await refused(benignRequests())).toBeLessThan(0.03)
  expect(await refused(attackRequests((rule) => levels.get(rule) === 1).slice(0, 400))).toBeGreaterThan(0.9)
})
