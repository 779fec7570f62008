/** Which origin a request goes to, for each of the five balancing methods. */
import type { ServerResponse } from 'node:http'
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

type Balance = Artefact['domains'][number]['balance']

let box: Box
let origins: StubOrigin[]
let held: ServerResponse[]

beforeAll(async () => {
  held = []
  origins = await Promise.all(
    [1, 2, 3].map((id) =>
      StubOrigin.start(({ url }, response) => {
        response.setHeader('cache-control', 'no-store')
        if (url === '/held') held.push(response.setHeader('x-by', id))
        else response.end(String(id))
      }),
    ),
  )
  const at = (...ids: number[]) => ids.map((id) => ({ id, port: origins[id - 1]!.port, weight: id === 3 ? 2 : 1 }))
  box = await Box.start({ workers: 1 }, (disk) => {
    const site = (number: number, host: string, balance: Balance, ids: number[]) =>
      disk.feed(
        disk.site({
          ...{ site: number, hosts: [host], balance, origins: at(...ids) },
          settings: { trustedProxies: ['127.0.0.0/8'] },
        }),
      )
    site(1, 'turn.test', 'roundRobin', [1, 2, 3])
    site(2, 'ip.test', 'ipHash', [1, 2, 3])
    site(3, 'least.test', 'leastConnections', [1, 2])
    site(4, 'url.test', 'urlHash', [1, 2, 3])
    site(5, 'less.test', 'urlHash', [1, 2])
    site(6, 'random.test', 'random', [1, 2, 3])
  })
})
afterAll(async () => {
  await box?.end()
  await Promise.all((origins ?? []).map((origin) => origin.end()))
})

const asked = async (host: string, path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await box.request(host, path, { headers })).text

/** How often each origin answered. */
async function shares(count: number, ask: (n: number) => Promise<string>): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (let n = 0; n < count; n++) {
    const by = await ask(n)
    found[by] = (found[by] ?? 0) + 1
  }
  return found
}

test('round robin distributes requests by weight', async () => {
  expect(await shares(40, (n) => asked('turn.test', `/${n}`))).toEqual({ 1: 10, 2: 10, 3: 20 })
})

test('with IP hash a visitor stays with an origin, and visitors are spread by weight', async () => {
  const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
  for (const n of [1, 2, 3]) {
    const first = await asked('ip.test', '/a', from(n))
    expect(await asked('ip.test', '/b', from(n))).toBe(first)
  }
  const spread = await shares(120, (n) => asked('ip.test', '/', from(n)))
  for (const id of [1, 2, 3]) expect(spread[id], JSON.stringify(spread)).toBeGreaterThan(10)
})

test('the origin with the fewest active connections gets the next request', async () => {
  const first = box.request('least.test', '/held')
  const second = box.request('least.test', '/held')
  await until('two held requests', () => held.length === 2)
  expect(new Set(held.map((response) => response.getHeader('x-by'))).size).toBe(2)
  const [a] = held.splice(0, 1)
  const freed = a!.getHeader('x-by')
  a!.end()
  await Promise.race([first, second])
  expect(await shares(5, (n) => asked('least.test', `/${n}`))).toEqual({ [String(freed)]: 5 })
  held.splice(0, 1)[0]!.end()
  await Promise.all([first, second])
})

test('a URL stays with an origin, and when an origin is removed only its URLs move', async () => {
  const paths = Array.from({ length: 120 }, (_, n) => `/item/${n}`)
  const before: string[] = []
  const after: string[] = []
  for (const path of paths) {
    before.push(await asked('url.test', path))
    after.push(await asked('less.test', path))
  }
  const kept = before.flatMap((by, n) => (by === '3' ? [] : [[by, after[n]]]))
  for (const [by, now] of kept) expect(now).toBe(by)
  // Half of the weight is gone: about half of the URLs moved, to both remaining origins.
  expect(paths.length - kept.length).toBeGreaterThan(35)
  expect(paths.length - kept.length).toBeLessThan(85)
  expect(new Set(before.flatMap((by, n) => (by === '3' ? [after[n]] : []))).size).toBe(2)
})

test('random balancing distributes requests by weight', async () => {
  const spread = await shares(200, () => asked('random.test', '/same'))
  expect(spread[3]! > 60 && spread[1]! > 20 && spread[2]! > 20, JSON.stringify(spread)).toBe(true)
})
