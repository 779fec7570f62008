/** Backslashes in paths: if an origin may read one as a slash, it cannot bypass a rule written with slashes. */
import type { Explanation } from '@breakwater/contract/edge/explain.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { exchange, statuses } from './raw.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  const policies = ['refuse', 'normalise', 'pass', undefined] as const
  box = await Box.start({}, (disk) =>
    disk.feed(
      ...policies.map((backslashes, n) =>
        disk.site({
          site: n + 1,
          hosts: [`${backslashes ?? 'absent'}.test`],
          origins: [{ port: origin.port }],
          settings: backslashes === undefined ? {} : { backslashes },
          firewall: {
            denyRules: [{ id: 1, urlRegex: '^/secret/', methods: [], ips: ['127.0.0.1'], mode: 'enforce' as const }],
          },
        }),
      ),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** The status of a path sent as it is. */
const statusOf = async (host: string, path: string): Promise<number> =>
  statuses(
    await exchange(box.settings.httpPort, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
  )[0]!

/** Each is `/secret/x` to a server that treats backslashes as slashes. */
const spellings = [
  '/\\secret/x',
  '//\\secret/x',
  '/secret\\x',
  '/%5csecret/x',
  '/%5Csecret%5cx',
  '/secret%5cx',
  '/open\\..\\secret\\x',
  '/open/..\\secret/x',
  '/open\\../secret/x',
  '/.\\secret\\x',
  '/\\/secret/x',
  '/secret\\.\\x',
  '/%2e%5csecret%5cx',
]

test.each(spellings)('%j does not bypass a rule for /secret/', async (path) => {
  const before = origin.asked.length
  expect(await statusOf('refuse.test', path)).toBe(400)
  expect(await statusOf('absent.test', path)).toBe(400)
  expect(await statusOf('normalise.test', path)).toBe(403)
  expect(origin.asked).toHaveLength(before)
})

test('a site that normalises backslashes sends its origin the path with slashes', async () => {
  const asked = async (path: string) => {
    const before = origin.asked.length
    expect(await statusOf('normalise.test', path)).toBe(200)
    return origin.asked[before]?.url
  }
  expect(await asked('/open\\a%5cb?x=\\y')).toBe('/open/a/b?x=\\y')
  expect(await statusOf('normalise.test', '/..\\x')).toBe(400)
  expect(await statusOf('normalise.test', '/a\\..\\..\\x')).toBe(400)
})

test('a site that passes backslashes sends them unchanged, and any site allows them in a query', async () => {
  const before = origin.asked.length
  expect(await statusOf('pass.test', '/open%5ca')).toBe(200)
  expect(origin.asked[before]!.url).toMatch(/^\/open(%5c|\\)a$/i)
  expect(await statusOf('refuse.test', '/open?x=\\y%5c')).toBe(200)
})

test('a simulated request is normalised like a live one', async () => {
  const verdictOf = async (backslashes: 'refuse' | 'normalise' | 'pass') => {
    const denyRules = [{ id: 1, urlRegex: '^/secret/', methods: [], ips: ['127.0.0.1'], mode: 'enforce' as const }]
    const { artefact } = box.disk.site({ site: 9, settings: { backslashes }, firewall: { denyRules } })
    const request = { ...{ site: 9, method: 'GET', host: 'x.test', path: '/open/..%5csecret\\x', query: '' } }
    const { steps } = await box.control<Explanation>('POST', '/explain', {
      artefact,
      request: { ...request, headers: {}, address: '127.0.0.1', time: 1_700_000_000 },
    })
    return steps.find(({ outcome }) => outcome === 'block')?.guard
  }
  expect(await verdictOf('refuse')).toBe('protocol')
  expect(await verdictOf('normalise')).toBe('denyRules')
  expect(await verdictOf('pass')).toBeUndefined()
})

test('a path is decoded only once', async () => {
  const before = origin.asked.length
  expect(await statusOf('normalise.test', '/%2570\\%255csecret')).toBe(200)
  expect(origin.asked[before]!.url).toBe('/%2570/%255csecret')
})

test('a refusal for a backslash is logged under the protocol guard', async () => {
  await until('the row', () => box.rows().some((row) => row.path === '/\\secret/x' && row.status === 400))
  const row = box.rows().find((one) => one.path === '/\\secret/x' && one.status === 400)
  expect(row).toMatchObject({ guard: 'protocol', action: 'block', cause: 444 })
})
