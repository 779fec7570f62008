/**
 * Checks that the request path stays compiled: LuaJIT reports its traces and aborts (`jit.v`). With all guards on, each
 * phase of a hit is one trace of machine code, from its first line to its last.
 */
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EdgeAcl } from '@breakwater/contract/edge/acl-part.ts'
import { expect, test } from 'vitest'
import { aclRule } from './acl-rule.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

const always = { methods: [], mode: 'enforce' as const }
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

/** Rules of every guard, none of which matches the requests of these tests; IDs start at `first`. */
const rules = (first: number, count: number) => ({
  allowRules: many(count, (n) => ({ ...always, id: first + n, urlRegex: '', ips: [`203.0.113.${n}`] })),
  denyRules: many(count, (n) => ({
    ...always,
    id: first + n,
    urlRegex: '^/x',
    ips: [`198.51.100.${n}`, '2001:db8::/32'],
  })),
  regionRules: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '', countries: ['TW', 'DE'], asns: [64_512 + n], isBlack: n % 2 === 0, blockType: 0 },
    mode: 'observe' as const,
  })),
  reputationRules: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '', score: 50 + n, blockType: 1 },
    mode: 'enforce' as const,
  })),
  headerRules: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '^/page', header: 'x-scanner', valueRegex: '', blockType: n % 2 },
    mode: 'enforce' as const,
  })),
  agentRules: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '^/page', userAgentRegex: `^bot-${n}$`, blockType: n % 2 },
    mode: 'enforce' as const,
  })),
  intervalRules: many(count, (n) => ({
    ...{ id: first + n, urlRegex: n < 2 ? '' : `^/counted-${n}`, seconds: 60, times: 1e6, blockType: 1 },
    mode: 'enforce' as const,
  })),
  antiCC: many(count, (n) => ({
    ...{
      id: first + n,
      urlRegex: n < 2 ? '' : `^/flood-${n}`,
      seconds: 60,
      times: 1e6,
      blockType: 1,
      blockSeconds: 60,
    },
    mode: 'enforce' as const,
  })),
  antiHeaders: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '^/page', header: 'user-agent', valueRegex: `^bot-${n}$`, blockType: n % 2 },
    mode: 'enforce' as const,
  })),
  antiReferers: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '', referers: [`*.evil-${n}.example`], isBlack: true, allowEmpty: true },
    mode: 'enforce' as const,
  })),
  // Banned clients are refused earlier; nobody is challenged here.
  siteMode: { blockType: 0, blockSeconds: 60, whitePaths: [] },
  rateRules: [
    ...many(2, (n) => ({ id: first + n, urlRegex: '', rate: 1e6, burst: 1e6, blockType: 1, mode: 'enforce' as const })),
    ...many(count, (n) => ({
      ...{ id: first + 10 + n, urlRegex: `^/limited-${first}-${n}/.*\\.php$`, rate: 5, burst: 5, blockType: 1 },
      mode: 'enforce' as const,
    })),
  ],
  bodyRules: many(count, (n) => ({
    ...{ id: first + n, urlRegex: '^/form', methods: ['POST'], contains: 'evil', oversize: 'block' as const },
    mode: 'enforce' as const,
  })),
})

/** Conditions on every kind of value, none of which match these requests. */
function acl(n: number): EdgeAcl {
  const action = n % 2 === 0 ? 'block' : 'header request "X-Bot" "likely"'
  const text = `when (path startsWith "/page" and method = GET and not userAgent contains "bot-${n}" and not bot exists)
    and (arg("x") = "${n}" or cookie("role") = "guest" or header("x-api") exists or address in {192.0.2.0/24}
      or path matches "^/limited-${n}/" or extension in {"php", "sql"} or bodyBytes > 9 or bot = "bot-${n}") then ${action}`
  return aclRule(500 + n, text)
}

const noNode = { names: [], to: [], gaps: [], methods: [], operations: [] }
/** An API definition with many paths, of which these requests use one. */
const shield: NonNullable<Parameters<Box['disk']['site']>[0]['apiShield']> = {
  ...{ mode: 'enforce', scope: ['/'], bodyBytes: 8192, overBudget: 'block', schemas: [{ types: ['integer'] }] },
  nodes: [
    { ...noNode, names: ['page', ...many(50, (n) => `path-${n}`)], to: many(51, () => 1) },
    { ...noNode, methods: ['GET'], operations: [0] },
  ],
  operations: [
    {
      ...{ id: 1, isOpen: false, beginnings: [], body: 'none', media: [] },
      parameters: [{ in: 'query', name: 'miss', isRequired: false, schema: 0, isMany: false, split: '' }],
    },
  ],
}

const redirect = (id: number, match: 'exact' | 'prefix' | 'regex', value: string) => ({
  ...{ id, match, value, target: '/elsewhere', status: 301 as const, keepQuery: true },
})

const stored = { prefixes: [] as string[], extensions: [] as string[], ttl: 600, ignoreQuery: false }

/** The first and last line of a phase in the compiled request path. */
function linesOf(phase: string): [number, number] {
  const file = fileURLToPath(new URL('../lua/edge/src/request/main.lua', import.meta.url))
  const lines = readFileSync(file, 'utf8').split('\n')
  const from = lines.findIndex((line) => line.startsWith(`function ____exports.${phase}(`)) + 1
  const to = lines.findIndex((line, n) => n >= from && line === 'end') + 1
  return [from, to]
}

/** LuaJIT supports one listener per event: this calls both the worker's own and that of these tests. */
const bothListen = `
  local attach, listeners = jit.attach, {}
  jit.attach = function(listener, event)
    listeners[#listeners + 1] = listener
    attach(function(...) for n = 1, #listeners do listeners[n](...) end end, event)
  end
`

const flushed = '[TRACE flush]'

async function watch(headers: Record<string, string>, facts: Parameters<Box['disk']['site']>[0]): Promise<void> {
  const origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=3600').end('x'.repeat(1000))
  })
  let log = ''
  const box = await Box.start(
    { workers: 1 },
    (disk) => {
      // Every address has a score, looked up among many; no rule matches it.
      const others = many(100, (n) => `10.0.${n}.0/24,${n + 1}`)
      disk.reputation([...others, '127.0.0.0/8,49', '192.0.2.0/24,49'])
      disk.feed(disk.site({ origins: [{ port: origin.port }], ...facts }))
    },
    (conf) => {
      log = join(/pid "(.*)\/run\/nginx.pid"/.exec(conf)![1]!, 'spool/jit.log')
      return conf.replace('{ edge.initWorker() }', `{ ${bothListen} require("jit.v").on("${log}") edge.initWorker() }`)
    },
  )
  const bots = ['ExampleBot', 'OtherBot'].map((name) => ({ agent: name, domains: [], networks: ['192.0.2.0/24'] }))
  await box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, verifiedBots: bots })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const refused: (number | undefined)[] = []
  const get = (path = '/page') =>
    new Promise<void>((resolve, reject) => {
      const options = { agent, port: box.settings.httpPort, host: '127.0.0.1', path }
      httpRequest({ ...options, headers: { host: 'site.test', ...headers } }, (reply) => {
        if (reply.statusCode !== 200) refused.push(reply.statusCode)
        reply.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
  const everyTrace = () => readFileSync(log, 'utf8').split('\n')
  const flushes = () => everyTrace().filter((line) => line === flushed).length
  /** The traces since the last flush, which follows a lost recording. */
  const traces = () => everyTrace().slice(everyTrace().lastIndexOf(flushed) + 1)
  const compiled = (phase: string) => {
    const [from, to] = linesOf(phase)
    return traces().some((line) => {
      const found = /^\[TRACE +\d+ main\.lua:(\d+) (return|stitch .*|-> \d+)\]$/.exec(line)
      return found !== null && Number(found[1]) >= from && Number(found[1]) <= to
    })
  }
  const aborted = () => traces().filter((line) => line.startsWith('[TRACE ---') || line.includes('fallback')).length
  // On a busy machine it is random what is recorded first: a refusal throws, an exit may be tried repeatedly, a trace
  // may need too many spill slots. Then everything is recorded again; code that is never compiled fails the test.
  const isLost = () =>
    mostTries(traces()) > 10 || traces().some((line) => /\/stitch\).*(error thrown|too many spill)/.test(line))
  let misses = 0
  try {
    const phases = ['rewrite', 'cachedHeaders', 'log']
    const warmUp = () =>
      until(
        'all phases compiled',
        async () => {
          for (let n = 0; n < 200; n++) {
            if (n % 3 === 0) await get(`/page?miss=${misses++}`)
            await get()
          }
          return phases.every(compiled) || isLost()
        },
        120_000,
      ).catch(() => undefined)
    await warmUp()
    let before = aborted()
    for (let n = 0; n < 2000; n++) await get()
    for (let again = 0; again < 3 && isLost(); again++) {
      const had = flushes()
      await until('a lost piece to be recorded again', () => flushes() > had, 150_000)
      await warmUp()
      before = aborted()
      for (let n = 0; n < 2000; n++) await get()
    }
    expect(
      phases.filter((phase) => !compiled(phase)),
      traces().join('\n'),
    ).toEqual([])
    expect(aborted() - before, traces().join('\n')).toBeLessThan(20)
    // Not even while it is being interpreted and compiled, which takes many times as long.
    expect(refused).toEqual([])
    // An aborted side trace is interpreted to the end of the phase, whatever the root trace was. An aborted recording
    // is started again, except for one after a call that is not compiled (a stitch).
    const path = /(serve|guards|live|patience|rule|[a-z]+-rules|protocol|challenge|route|cache-key)\.lua|first of/
    const all = traces()
    const givenUp = all.filter((line, at) => {
      const parent = /^\[TRACE --- (\(\d+\/\w+\))/.exec(line)?.[1]
      const isRecordedLater = () =>
        !parent!.endsWith('/stitch)') &&
        all.slice(at + 1).some((later) => /^\[TRACE +\d/.test(later) && later.includes(parent!))
      return path.test(line) && (line.includes('fallback') || (parent !== undefined && !isRecordedLater()))
    })
    expect(givenUp, all.join('\n')).toEqual([])
  } finally {
    agent.destroy()
    await box.end()
    await origin.end()
  }
}

const expectations: [name: string, headers: Record<string, string>, facts: Parameters<Box['disk']['site']>[0]][] = [
  ['a site with a few rules of every kind', {}, { firewall: rules(100, 3) }],
  [
    'a site with many rules of every kind',
    { referer: 'https://www.example.org/page?a=1', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
    { firewall: rules(100, 40) },
  ],
  ['a domain with rules of its own', {}, { firewall: rules(100, 8), ofDomains: { 'site.test': rules(300, 8) } }],
  [
    'a domain with an ACL',
    { 'x-role': 'staff', 'user-agent': 'ExampleBot/1' },
    { firewall: rules(100, 3), luaAcls: many(8, acl) },
  ],
  ['a site with an API shield', {}, { firewall: rules(100, 3), requires: ['apiShield'], apiShield: shield }],
  [
    'a domain with automatic certificates, HSTS and Cache-Status',
    {},
    {
      firewall: rules(100, 3),
      acme: 'x'.repeat(43),
      settings: { hsts: 'max-age=1', cacheStatus: { networks: ['127.0.0.0/8'] } },
    },
  ],
  [
    'a domain that pages of other origins may read',
    { origin: 'https://www.example.org' },
    {
      firewall: rules(100, 8),
      cors: { origins: ['https://*.example.org'], credentials: true },
      cache: [
        ...many(6, (n) => ({ ...stored, id: n + 1, prefixes: [`/files-${n}/`] })),
        { ...stored, id: 10, patterns: ['^/download/[0-9]+$'] },
        { ...stored, id: 11, extensions: ['png'] },
        {
          ...stored,
          id: 12,
          prefixes: ['/page'],
          browserTtl: 60,
          bypass: { cookies: [], headers: ['x-preview'], query: [] },
        },
      ],
    },
  ],
  [
    'a domain with redirects, signed URLs, rewrites, headers and a limit of bandwidth',
    {},
    {
      redirects: [
        ...many(20, (n) => redirect(n, 'exact', `/old-${n}`)),
        ...many(20, (n) => redirect(20 + n, 'prefix', `/${'section'.slice(0, 1 + (n % 7))}-${n}/`)),
        ...many(40, (n) => redirect(40 + n, 'regex', `^/item-${n}-[0-9]+$`)),
      ],
      rewrites: [{ id: 1, urlRegex: '^/rewritten/', target: '/other' }],
      headers: [{ id: 1, type: 'response', key: 'X-Own', value: 'here' }],
      tokens: {
        rules: [
          { id: 1, urlRegex: '^/signed/', kind: 'D', ttl: 600, parameter: 'sign' },
          { id: 2, urlRegex: '^/signed/', kind: 'B', ttl: 600, parameter: '' },
        ],
        keys: { 1: ['key'], 2: ['key'] },
      },
      bandwidth: [{ id: 1, urlRegex: '^/slow/', rate: 100_000, afterSize: 0 }],
    },
  ],
  [
    'a visitor behind a believed proxy',
    { 'x-forwarded-for': '192.0.2.7' },
    { firewall: rules(100, 8), settings: { trustedProxies: ['127.0.0.1'] } },
  ],
]

test.each(expectations)('no phase of a hit is interpreted: %s', async (_name, headers, facts) => {
  await watch(headers, facts)
})

/** The number of failed recordings of the exit with the most of them. */
function mostTries(traces: string[]): number {
  const tries = new Map<string, number>()
  for (const line of traces) {
    const exit = /^\[TRACE --- (\(\d+\/\d+\))/.exec(line)?.[1]
    if (exit !== undefined) tries.set(exit, (tries.get(exit) ?? 0) + 1)
  }
  return Math.max(0, ...tries.values())
}

const heard = 'listeners[#listeners]'

test.each([
  ['whose recording was lost', `${heard}("start", 1, print, 0, 5, -1) ${heard}("abort", 1, print, 0, 0)`],
  [
    'with too many values at hand',
    `local spilled
     for error, text in pairs(require("jit.vmdef").traceerr) do if text == "too many spill slots" then spilled = error end end
     ${heard}("start", 1, print, 0, 5, -1) ${heard}("abort", 1, print, 0, spilled)`,
  ],
  [
    // More often than needed: LuaJIT may start its own recording in between.
    'with an exit that is tried over and over',
    `for n = 1, 40 do ${heard}("start", 7, print, 0, 5, 57) ${heard}("abort", 7, print, 0, 27) end`,
  ],
])('a piece %s is recorded again', async (_what, lose) => {
  let log = ''
  const box = await Box.start(
    { workers: 1 },
    () => undefined,
    (conf) => {
      log = join(/pid "(.*)\/run\/nginx.pid"/.exec(conf)![1]!, 'spool/jit.log')
      return conf.replace(
        '{ edge.initWorker() }',
        `{ ${bothListen} require("jit.v").on("${log}") edge.initWorker() ${lose} }`,
      )
    },
  )
  try {
    await until('all pieces thrown away', () => readFileSync(log, 'utf8').split('\n').includes(flushed))
  } finally {
    await box.end()
  }
})
