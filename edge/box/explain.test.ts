/** The compiled Lua and the guards in Node are equivalent: on generated requests they agree, guard by guard. */

import type { Explanation, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { EdgeIpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explain } from '../src/request/guards/explain.ts'
import { Box } from './harness.ts'
import { guardsOf, matching } from './node-tools.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start({ lab: true })
})
afterAll(() => box?.end())

/** Random numbers that are the same in every run (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % sides
  }
}

const addresses = [
  '192.0.2.1',
  '192.0.2.200',
  '198.51.100.7',
  '2001:db8::1',
  '2001:db8:0:1::9',
  '::ffff:192.0.2.1',
  '203.0.113.255',
]
const ranges = [
  '192.0.2.0/25',
  '192.0.2.128-192.0.2.255',
  '198.51.100.7',
  '2001:db8::/64',
  '2001:db8:0:1::/64',
  '0.0.0.0/0',
  '::/0',
]
const regexes = ['', '^/login', '\\.php$', '^/(a|b)/[0-9]+$', 'admin', '^/$']
const paths = [
  '/',
  '/login',
  '/%6cogin',
  '//login/',
  '/a/12',
  '/b/x',
  '/./a/../login',
  '/x.php',
  '/x.php%0a',
  '/%00',
  '/../x',
  '/ADMIN/admin',
]
const methods = ['GET', 'POST', 'PUT', 'HEAD']

function site(roll: (sides: number) => number) {
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!
  const common = () => ({
    urlRegex: pick(regexes),
    methods: roll(2) ? [] : [pick(methods), pick(methods)],
    mode: pick(['enforce', 'observe'] as const),
    ...(roll(3) === 0 && { expiresAt: 1000 + roll(2000) }),
  })
  const ipRule = (id: number): EdgeIpRule => {
    const entries = [pick(ranges), pick(ranges)]
    return { id, ...common(), ...(roll(2) ? { ips: entries } : { list: box.disk.list(entries) }) }
  }
  const some = <T>(make: (id: number) => T, base: number) => Array.from({ length: roll(3) }, (_, i) => make(base + i))
  return box.disk.site({
    firewall: {
      allowRules: roll(3) === 0 ? some(ipRule, 10) : [],
      denyRules: some(ipRule, 20),
      rateRules: some((id) => {
        const { methods: _, ...rest } = common()
        return { id, ...rest, rate: 1, burst: roll(2), blockType: 1 + roll(5) }
      }, 30),
      bodyRules: some(
        (id) => ({ id, ...common(), contains: pick(['evil', 'x']), oversize: pick(['block', 'pass'] as const) }),
        40,
      ),
    },
  })
}

function request(roll: (sides: number) => number): SimulatedRequest {
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)]!
  return {
    site: 1,
    host: 'site.test',
    address: pick(addresses),
    method: pick(methods),
    path: pick(paths),
    query: pick(['', 'a=1', 'a=%00', '&'.repeat(600)]),
    headers: roll(4) ? { Accept: '*/*' } : { Connection: pick(['close', 'keep-alive, Host', 'x-forwarded-for']) },
    ...(roll(2) && { body: pick(['', 'so evil', 'x'.repeat(70_000)]) }),
    time: 1000 + roll(3000),
    country: 'ZZ',
    asn: 0,
  }
}

test('Node and the compiled Lua give the same verdict, guard by guard', async () => {
  const roll = dice(20260731)
  const verdicts: Record<string, number> = {}
  for (let i = 0; i < 60; i++) {
    const { artefact } = site(roll)
    const steps = guardsOf(box.settings.folder, artefact!)
    for (let j = 0; j < 25; j++) {
      const given = request(roll)
      const ofNode = explain(steps, given, matching)
      const ofLua = await box.control<Explanation>('POST', '/explain', { artefact, request: given })
      expect(ofLua, JSON.stringify(given)).toEqual(ofNode)
      verdicts[ofNode.verdict] = (verdicts[ofNode.verdict] ?? 0) + 1
    }
  }
  // A generator that only produces passing requests would prove nothing.
  expect(Math.min(verdicts.pass ?? 0, verdicts.block ?? 0)).toBeGreaterThan(100)
})

test('a missing artefact is an error, not a verdict', async () => {
  const asked = box.control('POST', '/explain', { artefact: '0'.repeat(64), request: request(dice(1)) })
  await expect(asked).rejects.toThrow('missing')
})
