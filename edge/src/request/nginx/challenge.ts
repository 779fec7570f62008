/**
 * Challenges on live requests. All modes are served and judged by the node itself: any node of the group accepts what
 * another signed, also while the control plane is away.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { challengeCookie, challengeKeyContext } from '@breakwater/contract/edge/reference.ts'
import type { EdgeRequest, Verdict } from '../guard.ts'
import { languageFor } from '../lib/accept.ts'
import {
  askToken,
  type Binding,
  networkOf,
  openAsk,
  passCookie,
  passedModes,
  passSeconds,
  type Signer,
  satisfies,
} from '../lib/challenge-token.ts'
import { challengePieces, makeAnswer } from './challenge-page.ts'
import { base64url, equalBytes, hmac, randomBytes, sha256 } from './crypto.ts'
import { derivedKey, keysOfGroup } from './secrets.ts'

const cookieName: typeof challengeCookie = 'bw_pass'
const keyContext: typeof challengeKeyContext = 'breakwater challenge'
const redirect = 4

/** Work that a page must show, in leading zero bits of a hash: some 65,000 tries, a fraction of a second in a browser. */
const workBits = 16
/** Milliseconds that must have passed, and may have passed at most, since the page was asked. */
const waitMs: Record<number, number> = { 1: 5000, 2: 1000, 3: 1000, 5: 1000 }
const answerMsMax = 600_000

/** Of the sites that are challenging now: the key of one costs as much as a signature. */
let siteKeys: Record<string, string> = {}
let keysKept = 0
const keysMax = 1024

function keyOf(groupKey: string, site: number, day: number): string {
  const context = `${keyContext}|${site}|${day}`
  const name = groupKey + context
  const before = siteKeys[name]
  if (before !== undefined) return before
  if (keysKept === keysMax) {
    siteKeys = {}
    keysKept = 0
  }
  keysKept++
  siteKeys[name] = derivedKey(groupKey, context)
  return siteKeys[name]!
}

const signer: Signer = {
  sign: (site, day, text) => base64url(hmac(keyOf(keysOfGroup()[0]!, site, day), text)),
  verify(site, day, text, signature) {
    const keys = keysOfGroup()
    for (let i = 0; i < keys.length && i < 2; i++) {
      if (equalBytes(base64url(hmac(keyOf(keys[i]!, site, day), text)), signature)) return true
    }
    return false
  },
}

function bindingOf(request: EdgeRequest): Binding {
  const agent = base64url(sha256((ngx.var.http_user_agent as string | undefined) ?? ''))
  return { site: request.site, network: networkOf(request.addressBytes), agent }
}

function modesOf(request: EdgeRequest): string {
  const cookie = ngx.var[`cookie_${cookieName}`] as string | undefined
  return cookie === undefined ? '' : passedModes(cookie, bindingOf(request), request.time, signer)
}

export function hasPassed(request: EdgeRequest, blockType: number): boolean {
  return satisfies(modesOf(request), blockType)
}

function setPass(request: EdgeRequest, mode: number): void {
  const before = modesOf(request)
  const modes = before.indexOf(`${mode}`) >= 0 ? before : `${before}${mode}`
  const value = passCookie(bindingOf(request), request.time, modes, signer)
  const secure = ngx.var.scheme === 'https' ? '; Secure' : ''
  ngx.header['Set-Cookie'] = `${cookieName}=${value}; Path=/; Max-Age=${passSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Answers with the page of a mode; the redirect sends the visitor back with its cookie at once. */
export function challengePage(
  request: EdgeRequest,
  verdict: Verdict,
  reference: string,
  send: (status: number, contentType: string, pieces: string[], length: number) => void,
): void {
  const mode = verdict.blockType
  if (mode === redirect) {
    setPass(request, mode)
    ngx.header.Location = `${ngx.var.request_uri}`.startsWith('//') ? '/' : `${ngx.var.request_uri}`
    send(request.method === 'GET' || request.method === 'HEAD' ? 302 : 307, 'text/plain', [], 0)
    return
  }
  // A page costs more than most answers, and comes in floods: whoever else has asked meanwhile goes first.
  ngx.sleep(0)
  const answer = makeAnswer(mode)
  const ms = math.floor(request.time * 1000)
  const token = askToken(bindingOf(request), ms, mode, base64url(randomBytes(12)), answer, signer)
  const work = { bits: workBits, waitMs: waitMs[mode] ?? waitMs[1]! }
  const language = languageFor(ngx.var.http_accept_language as string | undefined)
  ngx.header['Retry-After'] = '5'
  const { pieces, length } = challengePieces(language, mode, work, answer, token, reference)
  send(503, 'text/html; charset=utf-8', pieces, length)
}

/** What the slider's dot may miss its gap by. */
const slack = 8

function acceptable(mode: string, given: string): string[] {
  if (mode !== '5') return [given]
  const position = tonumber(given) ?? -1000
  const answers: string[] = []
  for (let at = position - slack; at <= position + slack; at++) answers.push(`${at}`)
  return answers
}

function hasWorked(token: string, counter: string): boolean {
  if (counter === '' || counter.length > 12) return false
  const digest = sha256(`${token}:${counter}`)
  const [first, second] = string.byte(digest, 1, 2)
  return (first! * 256 + second!) % 65536 < 2 ** (16 - workBits)
}

/** A field of a form whose values need no decoding. */
function field(body: string, name: string): string {
  for (const pair of body.split('&')) if (pair.startsWith(`${name}=`)) return pair.substring(name.length + 1)
  return ''
}

function judged(action: Verdict['action'], status: number): Verdict {
  const cause = action === 'answer' ? causes.none : causes.challenge
  return { action, guard: 'challenge', rule: 0, cause, status, blockType: 0 }
}

/** Judges what a page sent back. Wrong, too early, too late, somebody else's or used before: all refused alike. */
export function answerOf(request: EdgeRequest): Verdict {
  const refused = judged('block', 403)
  const length = tonumber(ngx.var.http_content_length) ?? 0
  if (request.method !== 'POST' || length < 1 || length > 2000) return refused
  ngx.req.read_body()
  const body = ngx.req.get_body_data() ?? ''
  const token = field(body, 't')
  const mode = token.split('.')[2] ?? ''
  const asked = openAsk(token, bindingOf(request), acceptable(mode, field(body, 'a')), signer)
  if (asked === undefined || !hasWorked(token, field(body, 'n'))) return refused
  const age = request.time * 1000 - asked.ms
  const wait = waitMs[asked.mode]
  if (wait === undefined || age < wait || age > answerMsMax) return refused
  const [isFirst] = ngx.shared.challenges!.add(asked.nonce, true, answerMsMax / 1000 + 60)
  if (!isFirst) return refused
  setPass(request, asked.mode)
  return judged('answer', 204)
}
