/** A client for one ACME directory (RFC 8555), with external accounts, profiles and renewal information (RFC 9773). */
import { createHash, createHmac, type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { publicJwk, thumbprintOf } from './account-key.ts'

/** Sends a request; throws if there is no response. */
export type Ask = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>

export type Eab = { keyId: string; hmacKey: string }
export type Directory = {
  newNonce: string
  newAccount: string
  newOrder: string
  renewalInfo?: string
  meta?: { externalAccountRequired?: boolean; caaIdentities?: string[]; profiles?: Record<string, string> }
}
/**
 * How names are proven. `ready` receives the TXT values that must be in the DNS before the authority is asked to
 * validate.
 */
export type Proof = { type: 'http-01' } | { type: 'dns-01'; ready: (values: string[]) => Promise<void> }
type Challenge = { type: string; url: string; status: string; token: string; error?: Problem }
type Authorization = { status: string; challenges: Challenge[] }
type Order = {
  url: string
  status: string
  authorizations: string[]
  finalize: string
  certificate?: string
  error?: Problem
}
export type RenewalWindow = { start: number; end: number; retryAfterSeconds: number | undefined }
type Problem = { type?: string; detail?: string }

/**
 * An error from the authority. `type` is the last segment of the problem type: `rateLimited`, `caa`, `unauthorized`.
 */
export class AcmeError extends Error {
  readonly type: string
  readonly retryAfterSeconds: number | undefined

  constructor({ type = '', detail = '' }: Problem, retryAfterSeconds?: number) {
    super(detail || type || 'the authority refused')
    this.type = type.split(':').at(-1) ?? ''
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const nonceTries = 10
/** The first wait between polls, in ms; each further wait is 1.5 times as long. */
const pollMs = 200
const pollTries = 20

const base64url = (value: string | Uint8Array) => Buffer.from(value).toString('base64url')

export class AcmeClient {
  private nonce: string | undefined
  private known: Directory | undefined
  private readonly url: string
  private readonly key: KeyObject
  private readonly ask: Ask

  constructor(url: string, key: KeyObject, ask: Ask) {
    this.url = url
    this.key = key
    this.ask = ask
  }

  async directory(): Promise<Directory> {
    if (this.known) return this.known
    const reply = await this.ask(this.url)
    if (!reply.ok) throw new AcmeError({ detail: `${this.url} answered ${reply.status}` })
    this.known = (await reply.json()) as Directory
    return this.known
  }

  /** Finds or creates the account of the key. Returns its URL. */
  async register(email: string, eab: Eab | undefined): Promise<string> {
    const { newAccount } = await this.directory()
    const account = {
      termsOfServiceAgreed: true,
      ...(email !== '' && { contact: [`mailto:${email}`] }),
      ...(eab && { externalAccountBinding: this.binding(newAccount, eab) }),
    }
    const { headers } = await this.post(newAccount, account, { jwk: publicJwk(this.key) })
    const place = headers.get('location')
    if (place === null) throw new AcmeError({ detail: 'the authority named no account' })
    return place
  }

  /** Orders a certificate for names and addresses (RFC 8738). Returns the chain in PEM. */
  async order(
    account: string,
    names: string[],
    csr: Uint8Array,
    proof: Proof,
    more: { profile?: string; replaces?: string } = {},
  ): Promise<string> {
    const { newOrder, meta } = await this.directory()
    const profile = more.profile && meta?.profiles?.[more.profile] !== undefined ? { profile: more.profile } : {}
    const identifiers = names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }))
    const replaces = more.replaces ? { replaces: more.replaces } : {}
    const made = await this.post(newOrder, { identifiers, ...profile, ...replaces }, { kid: account })
    const url = made.headers.get('location') ?? ''
    const order = (await made.json()) as Order
    await this.authorize(account, order.authorizations, proof)
    await this.post(order.finalize, { csr: base64url(csr) }, { kid: account })
    const done = await this.poll<Order>(account, url, ({ status }) => status === 'valid' || status === 'invalid')
    if (done.status !== 'valid' || !done.certificate) throw new AcmeError(done.error ?? { detail: 'the order failed' })
    const reply = await this.post(
      done.certificate,
      '',
      { kid: account },
      { accept: 'application/pem-certificate-chain' },
    )
    return reply.text()
  }

  /**
   * The renewal window that the authority suggests, in ms, and in how many seconds to ask again; undefined if it
   * suggests none.
   */
  async renewalWindow(certificateId: string): Promise<RenewalWindow | undefined> {
    const { renewalInfo } = await this.directory()
    if (!renewalInfo) return undefined
    const reply = await this.ask(`${renewalInfo.replace(/\/$/, '')}/${certificateId}`)
    if (!reply.ok) return undefined
    const { suggestedWindow } = (await reply.json()) as { suggestedWindow?: { start: string; end: string } }
    const [start, end] = [Date.parse(suggestedWindow?.start ?? ''), Date.parse(suggestedWindow?.end ?? '')]
    return start <= end ? { start, end, retryAfterSeconds: secondsOf(reply) } : undefined
  }

  /**
   * Proves all names. The proofs of all of them are prepared first, because several may be looked up at the same name.
   */
  private async authorize(account: string, urls: string[], proof: Proof): Promise<void> {
    const pending: { url: string; challenge: Challenge }[] = []
    for (const url of urls) {
      const { status, challenges } = (await (await this.post(url, '', { kid: account })).json()) as Authorization
      if (status === 'valid') continue
      const challenge = challenges.find(({ type }) => type === proof.type)
      if (!challenge) throw new AcmeError({ detail: `the authority does not offer ${proof.type.toUpperCase()}` })
      pending.push({ url, challenge })
    }
    // Over HTTP there is nothing to prepare: every node answers every token.
    if (proof.type === 'dns-01' && pending.length > 0)
      await proof.ready(pending.map(({ challenge }) => this.dnsValue(challenge.token)))
    for (const { url, challenge } of pending) {
      await this.post(challenge.url, {}, { kid: account })
      const done = await this.poll<Authorization>(account, url, ({ status }) => status !== 'pending')
      if (done.status !== 'valid')
        throw new AcmeError(
          done.challenges.find(({ error }) => error)?.error ?? { detail: `the authorization is ${done.status}` },
        )
    }
  }

  /** The value of the TXT record for a token (RFC 8555, 8.4). */
  private dnsValue(token: string): string {
    return createHash('sha256')
      .update(`${token}.${thumbprintOf(this.key)}`)
      .digest('base64url')
  }

  private async poll<T>(account: string, url: string, isDone: (value: T) => boolean): Promise<T> {
    for (let tries = 0; tries < pollTries; tries += 1) {
      const reply = await this.post(url, '', { kid: account })
      const value = (await reply.json()) as T
      if (isDone(value)) return value
      await setTimeout(Math.max(pollMs * 1.5 ** tries, Math.min(secondsOf(reply) ?? 0, 30) * 1000))
    }
    throw new AcmeError({ detail: 'the authority took too long' })
  }

  /**
   * Sends a signed request. Retries with a fresh nonce if the nonce was rejected, which authorities do now and then.
   */
  private async post(
    url: string,
    payload: object | '',
    by: { kid: string } | { jwk: object },
    headers: Record<string, string> = {},
  ) {
    for (let tries = 1; ; tries += 1) {
      const nonce = this.nonce ?? (await this.freshNonce())
      this.nonce = undefined
      const reply = await this.ask(url, {
        method: 'POST',
        headers: { 'content-type': 'application/jose+json', ...headers },
        body: JSON.stringify(this.sign({ alg: 'ES256', nonce, url, ...by }, payload)),
      })
      this.nonce = reply.headers.get('replay-nonce') ?? undefined
      if (reply.ok) return reply
      const problem = await problemOf(reply)
      if (!problem.type?.endsWith(':badNonce') || tries >= nonceTries) throw new AcmeError(problem, secondsOf(reply))
    }
  }

  private async freshNonce(): Promise<string> {
    const { newNonce } = await this.directory()
    const reply = await this.ask(newNonce, { method: 'HEAD' })
    const nonce = reply.headers.get('replay-nonce')
    if (nonce === null) throw new AcmeError({ detail: 'the authority gave no nonce' })
    return nonce
  }

  private sign(header: object, payload: object | '') {
    const text = {
      protected: base64url(JSON.stringify(header)),
      payload: payload === '' ? '' : base64url(JSON.stringify(payload)),
    }
    const key = { key: this.key, dsaEncoding: 'ieee-p1363' as const }
    return { ...text, signature: base64url(sign('sha256', Buffer.from(`${text.protected}.${text.payload}`), key)) }
  }

  /** The external account binding for our key (RFC 8555, 7.3.4). */
  private binding(url: string, { keyId, hmacKey }: Eab) {
    const text = {
      protected: base64url(JSON.stringify({ alg: 'HS256', kid: keyId, url })),
      payload: base64url(JSON.stringify(publicJwk(this.key))),
    }
    const mac = createHmac('sha256', Buffer.from(hmacKey, 'base64url')).update(`${text.protected}.${text.payload}`)
    return { ...text, signature: mac.digest('base64url') }
  }
}

/** The authority's Retry-After in seconds, given as seconds or as a date (RFC 9110, 10.2.3). */
function secondsOf(reply: Response): number | undefined {
  const text = reply.headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? seconds : undefined
}

async function problemOf(reply: Response): Promise<Problem> {
  const text = await reply.text()
  try {
    return JSON.parse(text) as Problem
  } catch {
    return { detail: `the authority answered ${reply.status}` }
  }
}
