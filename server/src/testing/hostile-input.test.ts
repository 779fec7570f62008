/**
 * Sends values that no person would type to every field of every call of the contract: a few of the odd values in turn,
 * so that each is sent to many fields, and all of them to each field in `script/test --all`.
 */
import { type AddressInfo, connect } from 'node:net'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSession } from '../auth/sessions.ts'
import { withSystem } from '../db/database.ts'
import { leavesOf, replaced, sampleOf } from './sample-input.ts'
import { makeTestServer, type TestServer, testPassword } from './server.ts'

type Case = { name: string; endpoint: AnyEndpoint; tier: Tier }
const everything = process.env.BREAKWATER_TESTS === 'all'
const cases: Case[] = Object.values(api)
  .flatMap((group) => Object.values(group) as AnyEndpoint[])
  .flatMap((endpoint) => {
    const tiers = endpoint.tiers.length > 0 ? endpoint.tiers : (['user'] as const)
    // The consoles share the schema and the handler of a call.
    return (everything ? tiers : tiers.slice(0, 1)).map((tier) => ({ name: `${tier} ${endpoint.id}`, endpoint, tier }))
  })

const badTexts = ['\ud800', 'a\udc00b', 'x\0y']
const oddValues = [
  ...[1e9, -0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, '1e9', '-0', '0x10', 'NaN', '٣', '\'"\\%_'],
  ...[true, null, {}, [], [null], [[]], 'x'.repeat(5001)],
]

let turn = 0
/** This many of the values, different ones at each call. */
function some<T>(values: readonly T[], count: number): readonly T[] {
  if (everything) return values
  turn += count
  return Array.from({ length: count }, (_, n) => values[(turn + n) % values.length]!)
}

let server: TestServer
let site: number
const sessions = new Map<Tier, TokenSet>()
beforeAll(async () => {
  server = await makeTestServer()
  site = await server.makeSite(await server.signIn('user', 'customer'), 'sample')
})
afterAll(() => server.stop())
// A policy set by an earlier call must not block the next session.
beforeEach(() => server.services.database.pool.query('delete from sign_in_policies'))

async function sessionOf(tier: Tier): Promise<TokenSet> {
  const known = sessions.get(tier)
  if (known) return known
  const account = { user: 'customer', client: 'operator', admin: 'vendor' }[tier]
  const pair = await withSystem(server.services.database.db, async (db) => {
    const { id } = await db.selectFrom('accounts').select('id').where('account', '=', account).executeTakeFirstOrThrow()
    return startSession(db, id, { address: '192.0.2.1', userAgent: '' })
  })
  sessions.set(tier, pair)
  return pair
}

async function ask({ endpoint, tier }: Case, query: string, body?: unknown) {
  const path = endpoint.path
    .replace(':tier', tier)
    .replace(':siteId', String(site))
    .replace(/:(\w+)/g, '1')
  const send = async () => server.call(endpoint.method, path + query, { as: await sessionOf(tier), body })
  const first = await send()
  if (first.status !== 401) return first
  // The call before ended the session.
  sessions.delete(tier)
  return send()
}

const withoutStreams = cases.filter(({ endpoint }) => endpoint.kind !== 'stream')

type Failure = { field: string; value: unknown; answer: unknown }
type Reply = { status: number; body: { extra?: { field?: string }[] } }
/**
 * Either an error at the field, or an answer; 502 if the call contacts a third party. `request` is not the name of a
 * field, except for a field of that name.
 */
const isAnswered = ({ status, body }: Reply, field: string) =>
  (status < 500 || status === 502) && (body?.extra?.[0]?.field !== 'request' || field === 'request')

describe('a body', () => {
  const withBody = withoutStreams.filter(({ endpoint }) => endpoint.body)

  test.each(withBody)('of $name with invalid Unicode is rejected at its field', async (one) => {
    const sample = sampleOf(one.endpoint.body!) ?? {}
    const failures: Failure[] = []
    for (const path of leavesOf(sample)) {
      const field = path.join('.')
      await Promise.all(
        some(badTexts, 1).map(async (value) => {
          const { status, body } = await ask(one, '', replaced(sample, path, value))
          const { code, extra } = body
          const isRefused = status === 400 && code === 101003 && extra?.[0]?.field === field && extra.length === 1
          if (!isRefused) failures.push({ field, value, answer: body })
        }),
      )
    }
    expect(failures).toEqual([])
  })

  test.each(withBody)('of $name with an odd value never causes a 500', async (one) => {
    const sample = sampleOf(one.endpoint.body!) ?? {}
    const failures: Failure[] = []
    for (const path of leavesOf(sample)) {
      await Promise.all(
        some(oddValues, 2).map(async (value) => {
          const reply = await ask(one, '', replaced(sample, path, value))
          const field = path.join('.')
          if (!isAnswered(reply, field)) failures.push({ field, value, answer: reply.body })
        }),
      )
    }
    expect(failures).toEqual([])
  })
})

describe('a query', () => {
  const withQuery = withoutStreams.filter(({ endpoint }) => endpoint.query)
  const odd = oddValues.filter((value) => typeof value !== 'object').map((value) => encodeURIComponent(String(value)))
  const texts = [...odd, '%00', '%ED%A0%80', '%FF', '%', '%u0000', '', '1,2,1e9', '1&PLACE=2']

  test.each(withQuery)('of $name never causes a 500', async (one) => {
    const sample = (sampleOf(one.endpoint.query!) ?? {}) as Record<string, unknown>
    const failures: Failure[] = []
    for (const name of Object.keys(sample)) {
      const rest = Object.entries(sample).filter(([other]) => other !== name)
      const others = rest.map(([other, value]) => `${other}=${encodeURIComponent(String(value))}`)
      await Promise.all(
        some(texts, 3).map(async (value) => {
          const reply = await ask(one, `?${[...others, `${name}=${value.replace('PLACE', name)}`].join('&')}`)
          if (!isAnswered(reply, name)) failures.push({ field: name, value, answer: reply.body })
        }),
      )
    }
    expect(failures).toEqual([])
  })

  test.each(withoutStreams)('with unknown parameters, for $name, never causes a 500', async (one) => {
    for (const query of some(['?%00=1', '?%ED%A0%80=1', '?__proto__=1', '?a[b]=c', '?='], 1)) {
      expect([200, 400, 401, 403, 404, 409]).toContain((await ask(one, query)).status)
    }
  })
})

describe('a header', () => {
  const raw = (head: string, body: string) =>
    new Promise<string>((resolve, reject) => {
      const { port } = server.app.server.address() as AddressInfo
      const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1')))
      let answer = ''
      socket.setEncoding('utf8').on('data', (text) => {
        answer += text
      })
      socket.on('close', () => resolve(answer.split('\r\n', 1)[0]!)).on('error', reject)
    })

  test('with bytes that are not valid text never causes a 500, not even if it is stored', async () => {
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const body = JSON.stringify({ account: 'customer', password: testPassword })
    const length = `content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}`
    for (const bytes of ['\xed\xa0\x80', '\xff\xfe', '\xf0\x9f'.repeat(200), '\x7f', '\'"\\%_']) {
      for (const name of ['user-agent', 'accept-language', 'authorization', 'x-forwarded-for', 'referer']) {
        const answer = await raw(`POST /api/v1/user/code HTTP/1.1\r\nhost: x\r\n${length}\r\n${name}: ${bytes}`, body)
        expect([name, bytes, answer]).toEqual([name, bytes, expect.stringMatching(/^HTTP\/1.1 [24]/)])
      }
    }
  })
})
