import { account } from '@breakwater/contract/account/self.ts'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import { compression } from '@breakwater/contract/delivery/compression.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { errors } from '@breakwater/contract/errors.ts'
import { formatSiteRevision, type SiteRevision, siteRevisionHeader } from '@breakwater/contract/site-revision.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { beforeEach, expect, test } from 'vitest'
import { Fault } from './fault.ts'
import { makeSend, type World } from './send.ts'

type Seen = { method: string; path: string; token: string | null; body: unknown }
type Answer = { status: number; body: unknown }

const pair = (n: number): TokenSet => ({
  accessToken: `access-${n}`,
  refreshToken: `refresh-${n}`,
  tokenType: 'Bearer',
})
const refusal = (name: keyof typeof errors): Answer => ({
  status: errors[name].status,
  body: { code: errors[name].code, message: `server says ${name}`, requestId: 'request-1' },
})

/** A fake server that accepts one access token and delays each response. */
let seen: Seen[]
let valid: string
let refreshAnswer: () => Answer
/** The error for calls with a valid token; undefined if they succeed. */
let refusedWith: keyof typeof errors | undefined
let jar: Map<Tier, TokenSet>
const made = { siteId: 4, revision: 12 }
let signedOut: [Tier, string][]
let published: [string, SiteRevision][]
let heard: number[]
let locks: Map<string, Promise<unknown>>

function answer({ method, path, token }: Seen): Answer {
  if (method === 'PATCH' && path === '/api/v1/user') return refreshAnswer()
  if (token !== `Bearer ${valid}`) return refusal('tokenExpired')
  if (refusedWith) return refusal(refusedWith)
  return { status: 200, body: path.includes('account/self') ? { data: { id: 7 } } : { data: [], total: 0 } }
}

async function fakeFetch(path: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  const call: Seen = {
    method: init?.method ?? 'GET',
    path: String(path),
    token: headers.get('authorization'),
    body: init?.body ? JSON.parse(String(init.body)) : undefined,
  }
  seen.push(call)
  await new Promise((done) => setTimeout(done, 5))
  const { status, body } = answer(call)
  const revision: Record<string, string> =
    call.method === 'PUT' ? { [siteRevisionHeader]: formatSiteRevision(made) } : {}
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...revision } })
}

/** One tab. The tabs of a test share cookies and locks, like those of a browser. */
function makeTab(): World {
  return {
    fetch: fakeFetch,
    tokens: {
      read: (tier) => jar.get(tier),
      write: (tier, tokens) => void jar.set(tier, tokens),
      clear: (tier) => void jar.delete(tier),
    },
    tier: () => 'user',
    language: () => 'zh-TW',
    alone(name, run) {
      const after = (locks.get(name) ?? Promise.resolve()).then(run, run)
      locks.set(name, after)
      return after
    },
    signedOut: (tier, fault) => void signedOut.push([tier, fault.message]),
    published: (call, told) => published.push([call.id, told]),
    heard: (status) => heard.push(status),
    settleMs: 0,
  }
}

const refreshes = () => seen.filter(({ method, path }) => method === 'PATCH' && path === '/api/v1/user')

beforeEach(() => {
  seen = []
  signedOut = []
  published = []
  heard = []
  locks = new Map()
  jar = new Map([['user', pair(1)]])
  valid = 'access-2'
  refreshAnswer = () => ({ status: 200, body: { data: pair(2) } })
  refusedWith = undefined
})

test('twenty calls with an expired token cause one refresh, and each is repeated once', async () => {
  const send = makeSend(makeTab())
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(account.self, {})))
  expect(replies).toEqual(Array(20).fill({ id: 7 }))
  expect(refreshes()).toHaveLength(1)
  expect(refreshes()[0]!.body).toEqual({ accessToken: 'access-1', refreshToken: 'refresh-1' })
  expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(40)
  expect(jar.get('user')).toEqual(pair(2))
  expect(signedOut).toEqual([])
})

test('two tabs share one refresh', async () => {
  const tabs = [makeSend(makeTab()), makeSend(makeTab())]
  await Promise.all(tabs.flatMap((send) => Array.from({ length: 5 }, () => send(account.self, {}))))
  expect(refreshes()).toHaveLength(1)
})

test('a failed refresh ends the session with the server’s message, and rejects every waiting call', async () => {
  refreshAnswer = () => refusal('refreshTokenFailed')
  const send = makeSend(makeTab())
  const results = await Promise.allSettled([send(account.self, {}), send(account.self, {})])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(jar.has('user')).toBe(false)
  expect(signedOut[0]).toEqual(['user', 'server says refreshTokenFailed'])
  expect(refreshes()).toHaveLength(1)
})

test('a call whose token has expired again after the refresh starts no second one', async () => {
  refreshAnswer = () => ({ status: 200, body: { data: pair(3) } })
  const send = makeSend(makeTab())
  await expect(send(account.self, {})).rejects.toMatchObject({ code: errors.tokenExpired.code })
  expect(refreshes()).toHaveLength(1)
  expect(jar.has('user')).toBe(false)
})

test('a wrong password in a call that was repeated after a refresh does not sign out', async () => {
  refusedWith = 'credentialRefused'
  const body = { oldPassword: 'wrong', password: 'new-pass-12', confirmPassword: 'new-pass-12' }
  const call = makeSend(makeTab())(signIn.changePassword, { body })
  await expect(call).rejects.toMatchObject({ code: errors.credentialRefused.code })
  expect(refreshes()).toHaveLength(1)
  expect(jar.get('user')).toEqual(pair(2))
  expect(signedOut).toEqual([])
})

test('a refresh without all three token fields counts as failed', async () => {
  refreshAnswer = () => ({ status: 200, body: { data: { accessToken: 'x' } } })
  await expect(makeSend(makeTab())(account.self, {})).rejects.toBeInstanceOf(Fault)
  expect(jar.has('user')).toBe(false)
})

test('an outage during the refresh keeps the session', async () => {
  refreshAnswer = () => refusal('unknownError')
  await expect(makeSend(makeTab())(account.self, {})).rejects.toMatchObject({ status: 500 })
  expect(jar.get('user')).toEqual(pair(1))
  expect(signedOut).toEqual([])
})

test('the request contains the tier, ids, query and language; a list keeps its total', async () => {
  valid = 'access-1'
  const send = makeSend(makeTab())
  const page = await send(sites.listOwn, { query: { page: 2, pageSize: 25, siteName: '', tags: ['a', 'b'] } })
  expect(page).toEqual({ data: [], total: 0 })
  expect(seen[0]).toMatchObject({
    path: '/api/v1/user/sites?page=2&pageSize=25&tags=a&tags=b',
    token: 'Bearer access-1',
  })
})

test('the site revision that a call created is reported, and nothing for a call that created none', async () => {
  valid = 'access-1'
  const send = makeSend(makeTab())
  await send(sites.listOwn, { query: { page: 1, pageSize: 25 } })
  expect(published).toEqual([])
  await send(compression.calls.update, { siteId: 3, body: compression.defaults })
  expect(published).toEqual([['site.setting.gzip.update', made]])
})

test('the calls of the sign-in page carry no token', async () => {
  const send = makeSend(makeTab())
  await send(signIn.code, { body: { account: 'a', password: 'b' } }).catch(() => undefined)
  expect(seen[0]!.token).toBeNull()
})
