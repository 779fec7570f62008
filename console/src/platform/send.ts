/**
 * The single path to the API. Adds the token of the current console. If it has expired, waits for a single refresh and
 * repeats the call once. Ends the session if the server says so.
 */
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint, Input, Reply, Tier } from '@breakwater/contract/endpoint.ts'
import { errors } from '@breakwater/contract/errors.ts'
import { parseSiteRevision, type SiteRevision, siteRevisionHeader } from '@breakwater/contract/site-revision.ts'
import { Fault, faultOf } from './fault.ts'
import { addressOf, bodyOf } from './request.ts'
import type { TokenStore } from './tokens.ts'

const timeoutMs = 300_000

/** The environment: the browser, or a test. */
export type World = {
  fetch: typeof fetch
  tokens: TokenStore
  tier: () => Tier
  language: () => string
  /** Runs exclusively among all tabs of this browser. */
  alone: <T>(name: string, run: () => Promise<T>) => Promise<T>
  /** Called when the session has ended involuntarily; the tokens are already cleared. */
  signedOut: (tier: Tier, fault: Fault) => void
  /** Called with each site revision that a call created, after its response. */
  published: (call: AnyEndpoint, made: SiteRevision) => void
  /** Called with the status of each response, and with 0 if there was none. */
  heard: (status: number) => void
  /**
   * A write stays busy for this many ms after its response, so that its indicator does not flicker. Reads are never
   * delayed.
   */
  settleMs: number
}

export type Send = {
  <E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal): Promise<Reply<E>>
  /** The response itself, for event streams and files. */
  raw: <E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal) => Promise<Response>
}

const withoutToken = new Set([
  'logo.get',
  'auth.code',
  'auth.login',
  'auth.password.forgot',
  'auth.token.check',
  'auth.switchUser',
  'auth.sso.list',
  'auth.sso.begin',
  'auth.sso.finish',
  'auth.register.password',
])
const ending = new Set<number>([
  errors.invalidToken.code,
  errors.revokeTokenFailed.code,
  errors.refreshTokenFailed.code,
])

export function makeSend(world: World): Send {
  const refreshing = new Map<Tier, Promise<void>>()

  async function once<E extends AnyEndpoint>(endpoint: E, tier: Tier, input: Input<E>, signal?: AbortSignal) {
    const headers = new Headers({ 'accept-language': world.language() })
    const tokens = world.tokens.read(tier)
    if (tokens && !withoutToken.has(endpoint.id)) {
      headers.set('authorization', `${tokens.tokenType} ${tokens.accessToken}`)
    }
    const body = bodyOf(endpoint, input)
    // For form data, the browser sets the content type with the boundary itself.
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    const ends = endpoint.kind === 'stream' ? [] : [AbortSignal.timeout(timeoutMs)]
    const request: RequestInit = {
      method: endpoint.method,
      headers,
      signal: AbortSignal.any(signal ? [signal, ...ends] : ends),
      ...(body === undefined ? {} : { body }),
    }
    const response = await world.fetch(addressOf(endpoint, tier, input), request).catch((error: unknown) => {
      if (signal?.aborted) throw error
      world.heard(0)
      throw new Fault({ message: error instanceof Error ? error.message : '' })
    })
    world.heard(response.status)
    if (!response.ok) throw await faultOf(response)
    return response
  }

  /** A single refresh for all waiting calls, in this tab and in the others. */
  function refresh(tier: Tier, stale: string | undefined): Promise<void> {
    const running = refreshing.get(tier)
    if (running) return running
    const run = world
      .alone(`breakwater.refresh.${tier}`, async () => {
        const tokens = world.tokens.read(tier)
        if (!tokens) throw new Fault({ ...errors.refreshTokenFailed })
        // Another tab was faster: its tokens are in the cookies already.
        if (tokens.accessToken !== stale) return
        const { accessToken, refreshToken } = tokens
        const response = await once(signIn.refresh, tier, { body: { accessToken, refreshToken } })
        const { data } = await response.json()
        if (!data?.accessToken || !data.refreshToken || !data.tokenType)
          throw new Fault({ ...errors.refreshTokenFailed })
        world.tokens.write(tier, data)
      })
      .finally(() => refreshing.delete(tier))
    refreshing.set(tier, run)
    return run
  }

  function end(tier: Tier, fault: Fault): Fault {
    world.tokens.clear(tier)
    world.signedOut(tier, fault)
    return fault
  }

  async function raw<E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal): Promise<Response> {
    const tier = world.tier()
    const used = world.tokens.read(tier)?.accessToken
    try {
      return await once(endpoint, tier, input, signal)
    } catch (error) {
      if (!(error instanceof Fault) || endpoint.can === 'public') throw error
      if (ending.has(error.code)) throw end(tier, error)
      if (error.code !== errors.tokenExpired.code) throw error
    }
    try {
      await refresh(tier, used)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      // An outage is not a refusal: the session stays, and the person may try again.
      const isRefusal = error.status === 401 || ending.has(error.code)
      throw isRefusal ? end(tier, error) : error
    }
    try {
      return await once(endpoint, tier, input, signal)
    } catch (error) {
      // Other errors, including a wrong password (101012), are the call's own result and do not end the session.
      const isOver = error instanceof Fault && (ending.has(error.code) || error.code === errors.tokenExpired.code)
      throw isOver ? end(tier, error) : error
    }
  }

  const settle = () => (world.settleMs > 0 ? new Promise((done) => setTimeout(done, world.settleMs)) : undefined)

  async function send<E extends AnyEndpoint>(endpoint: E, input: Input<E>, signal?: AbortSignal): Promise<Reply<E>> {
    let made: SiteRevision | undefined
    try {
      const response = await raw(endpoint, input, signal)
      made = parseSiteRevision(response.headers.get(siteRevisionHeader))
      const body = response.status === 204 ? {} : await response.json()
      if (endpoint.kind === 'list') return body
      return (endpoint.kind === 'data' ? body.data : undefined) as Reply<E>
    } finally {
      if (endpoint.audit !== undefined) await settle()
      if (made) world.published(endpoint, made)
    }
  }

  return Object.assign(send, { raw })
}
