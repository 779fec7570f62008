/** The API shield on the wire: a document compiled by the control plane, enforced by a node with nginx. */
import { readFileSync } from 'node:fs'
import type { Explanation, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { guardOfId } from '@breakwater/contract/edge/guards.ts'
import { type ShieldReason, shieldReasons, shieldRule } from '@breakwater/contract/edge/shield-reasons.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { ask, type Version, versions } from '../../edge/box/transparent/ask.ts'
import { compileDocument } from '../../server/src/shield/compile.ts'

let box: Box
let origin: StubOrigin
let artefact: string

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    response.setHeader('cache-control', 'no-store')
    request.resume().on('end', () => response.end(request.url))
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const { tables } = compileDocument(readFileSync(new URL('shop.yaml', import.meta.url), 'utf8'))
    const site = (id: number, host: string, shield: object) =>
      disk.site({
        ...{ site: id, hosts: [host], origins: [{ port: origin.port }], requires: ['apiShield'] },
        apiShield: {
          ...{ mode: 'enforce', scope: ['/v1/'], bodyBytes: 8192, overBudget: 'block' },
          ...tables,
          ...shield,
        },
      })
    const enforced = site(1, 'site.test', {})
    artefact = enforced.artefact ?? ''
    disk.feed(enforced)
    disk.feed(site(2, 'watched.test', { mode: 'observe' }))
    disk.feed(site(4, 'logged.test', {}))
    disk.feed(site(5, 'long.test', { bodyBytes: 1_048_576 }))
    disk.feed(site(3, 'open.test', { overBudget: 'pass', scope: ['/'] }))
  })
}, 600_000)
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

type Sent = { method?: string; host?: string; headers?: Record<string, string>; body?: string; version?: Version }

async function status(path: string, { host = 'site.test', headers = {}, body, version = '1.1', method }: Sent = {}) {
  const sent = { method: method ?? (body === undefined ? 'GET' : 'POST'), path, headers, body }
  return (await ask(box, version, host, sent)).status
}
const json = (value: unknown, method = 'POST', type = 'application/json'): Sent => ({
  ...{ method, headers: { 'content-type': type } },
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

const item = { name: 'a cup', price: 3.5 }
const passing: [string, Sent][] = [
  ['/elsewhere?x=1', {}],
  ['/v1/items', {}],
  ['/v1/items', { method: 'HEAD' }],
  ['/v1/items', { method: 'OPTIONS' }],
  ['/v1/items?page=100&sort=-price&tag=a&tag=bcdef&ids=1,2&api_key=k', {}],
  ['/v1/items', { headers: { 'x-trace': '01234567-89ab-cdef-0123-456789abcdef' } }],
  ['/v1/items/7', {}],
  ['/v1/items/%37', {}],
  ['/v1/items/first', {}],
  ['/v1/files/report.json', {}],
  ['/v1/items/7?reason=sold', { method: 'DELETE' }],
  ['/v1/items', json(item)],
  ['/v1/items', json({ ...item, name: '杯子杯子杯子杯子' })],
  ['/v1/items', json({ ...item, colour: null, detail: { new: true }, parts: [item, { ...item, parts: [] }] })],
  ['/v1/items/7', json('"text"', 'PATCH', 'application/merge-patch+json; charset=utf-8')],
  ['/v1/items/7', json('anything', 'PATCH', 'text/plain')],
]
const refused: [ShieldReason, string, Sent][] = [
  ['unknownPath', '/v1/', {}],
  ['unknownPath', '/v1/items/', {}],
  ['unknownPath', '/v1/item', {}],
  ['unknownPath', '/v1/items/7/8', {}],
  ['unknownPath', '/v1/files/.json', {}],
  ['unknownPath', '/v1/items//7', {}],
  ['unknownMethod', '/v1/items', { method: 'DELETE' }],
  ['unknownMethod', '/v1/items/first', { method: 'PATCH' }],
  ['unknownParameter', '/v1/items?page=1&admin=1', {}],
  ['unknownParameter', '/v1/items?%70age=1&__proto__=1', {}],
  ['missingParameter', '/v1/items/7', { method: 'DELETE' }],
  ['wrongParameter', '/v1/items?page=0', {}],
  ['wrongParameter', '/v1/items?page=0x10', {}],
  ['wrongParameter', '/v1/items?page=1.5', {}],
  ['wrongParameter', '/v1/items?sort=name', {}],
  ['wrongParameter', '/v1/items?tag=a&tag=longer', {}],
  ['wrongParameter', '/v1/items?ids=1,b', {}],
  ['wrongParameter', '/v1/items/none', {}],
  ['wrongParameter', '/v1/items', { headers: { 'x-trace': 'me' } }],
  ['repeatedParameter', '/v1/items?page=1&page=2', {}],
  ['mediaType', '/v1/items', json('<a/>', 'POST', 'application/xml')],
  [
    'mediaType',
    '/v1/items',
    { ...json(item), headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
  ],
  ['missingBody', '/v1/items', { method: 'POST' }],
  ['unexpectedBody', '/v1/items/7?reason=sold', json({}, 'DELETE')],
  ['malformedBody', '/v1/items', json('{"name":"a"')],
  ['malformedBody', '/v1/items', json('{"name":"a","price":NaN}')],
  ['malformedBody', '/v1/items', json(`${'['.repeat(500)}${']'.repeat(500)}`)],
  ['wrongBody', '/v1/items', json('null')],
  ['wrongBody', '/v1/items', json([item])],
  ['wrongBody', '/v1/items', json({ name: 'a' })],
  ['wrongBody', '/v1/items', json({ ...item, price: 0 })],
  ['wrongBody', '/v1/items', json({ ...item, price: '3' })],
  ['wrongBody', '/v1/items', json({ ...item, name: '' })],
  ['wrongBody', '/v1/items', json({ ...item, name: 'cup\n' })],
  ['wrongBody', '/v1/items', json({ ...item, name: '<b>' })],
  ['wrongBody', '/v1/items', json({ ...item, name: 'ninechars' })],
  ['wrongBody', '/v1/items', json({ ...item, isAdmin: true })],
  ['wrongBody', '/v1/items', json({ ...item, colour: 'blue' })],
  ['wrongBody', '/v1/items', json({ ...item, parts: [item, { ...item, price: -1 }] })],
  ['wrongBody', '/v1/items', json({ ...item, detail: { new: 'yes' } })],
  ['overBudget', '/v1/items', json({ ...item, name: 'x'.repeat(9000) })],
]

const rowsOf = (host: string) => box.rows().filter(({ domain }) => domain === host)

test.each(versions)('what the document allows passes, and all else is refused, over HTTP/%s', async (version) => {
  for (const [path, sent] of passing)
    expect([path, sent, await status(path, { ...sent, version })]).toEqual([path, sent, 200])
  for (const [reason, path, sent] of refused)
    expect([reason, path, sent, await status(path, { ...sent, version })]).toEqual([reason, path, sent, 403])
})

test.each(versions)(
  'a body is checked up to the configured length, also if nginx buffers it in a file, HTTP/%s',
  async (version) => {
    const long = (length: number, more: object) => {
      const text = JSON.stringify({ ...item, ...more })
      return { ...json(`${text.slice(0, -1)}${' '.repeat(length - text.length)}}`), host: 'long.test', version }
    }
    for (const length of [1_000, 131_072, 131_073, 1_048_576]) {
      expect(await status('/v1/items', long(length, {})), `${length}`).toBe(200)
      expect(await status('/v1/items', long(length, { price: 'dear' })), `${length}`).toBe(403)
    }
    expect(await status('/v1/items', long(1_048_577, {}))).toBe(403)
  },
)

test('each refusal is logged with its operation and its reason; in observe mode requests pass, and are logged alike', async () => {
  for (const host of ['logged.test', 'watched.test']) {
    const isEnforced = host === 'logged.test'
    for (const [, path, sent] of refused) expect(await status(path, { ...sent, host })).toBe(isEnforced ? 403 : 200)
    await until('all rows', () => rowsOf(host).length === refused.length)
    expect(rowsOf(host).map(({ rule }) => shieldRule(rule).reason)).toEqual(refused.map(([reason]) => reason))
    for (const { guard, action, cause } of rowsOf(host))
      expect([guard, action, cause]).toEqual(['apiShield', isEnforced ? 'block' : 'observe', 904])
  }
  const post = rowsOf('logged.test').find(({ rule }) => rule % 100 === shieldReasons.wrongBody)
  expect(post && shieldRule(post.rule)).toEqual({ operation: 2, reason: 'wrongBody' })
  expect(guardOfId(44)).toBe('apiShield')
})

test('a body beyond the limit passes if the site is configured so, and is logged', async () => {
  expect(await status('/v1/items', { ...json({ ...item, name: 'x'.repeat(9000) }), host: 'open.test' })).toBe(200)
  expect(await status('/v1/items', { ...json({ ...item, name: '<' }), host: 'open.test' })).toBe(403)
  expect(await status('/elsewhere', { host: 'open.test' })).toBe(403)
  await until('all rows', () => rowsOf('open.test').length === 3)
  const [long] = rowsOf('open.test')
  expect([long?.action, long && shieldRule(long.rule)]).toEqual(['observe', { operation: 2, reason: 'overBudget' }])
})

test('Explain names the operation, and the part of the request at fault', async () => {
  const asked = {
    ...{ site: 1, host: 'site.test', address: '192.0.2.1', time: 1_700_000_000, country: 'ZZ', query: '' },
    ...{ method: 'POST', path: '/v1/items', headers: { 'content-type': 'application/json' } },
  }
  const explained = async (request: Partial<SimulatedRequest>) => {
    const told = await box.control<Explanation>('POST', '/explain', { artefact, request: { ...asked, ...request } })
    const { outcome, rule, detail } = told.steps.find(({ guard }) => guard === 'apiShield')!
    return [told.verdict, outcome, rule, detail]
  }
  const body = JSON.stringify({ ...item, parts: [item, { ...item, price: -1 }] })
  expect(await explained({ body })).toEqual(['block', 'block', 211, 'body:/parts/1/price'])
  expect(await explained({ method: 'GET', query: 'b%20ad=1' })).toEqual(['block', 'block', 103, 'query:b_ad'])
  expect(await explained({ body: JSON.stringify(item) })).toEqual(['pass', 'passed', 0, undefined])
  // The log does not contain the body, so nothing is reported about it.
  expect(await explained({ isLogged: true })).toEqual(['pass', 'passed', 0, undefined])
})
