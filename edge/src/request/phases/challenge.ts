/**
 * Challenges on live requests. The nodes serve and judge all modes themselves, even while the control plane is
 * unreachable: any node of the group accepts a pass that another one signed.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import { passSeconds } from '@breakwater/contract/edge/passed-challenge.ts'
import type { challengeCookie, challengeKeyContext } from '@breakwater/contract/edge/reference.ts'
import { verifiedBot } from '../clients/verified-bots.ts'
import { languageFor } from '../lib/accept.ts'
import { answerFrom, isGuessable, isRight } from '../lib/challenge-answer.ts'
import {
  bitsFor,
  bitsForSite,
  isEnough,
  triesMax,
  unseenAnswer,
  unseenBits,
  wrongSeconds,
} from '../lib/challenge-price.ts'
import {
  askToken,
  type Binding,
  networkOf,
  openAsk,
  passCookie,
  passedModes,
  type Signer,
  satisfies,
} from '../lib/challenge-token.ts'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { clientKey } from '../nginx/buckets.ts'
import { base64url, equalBytes, hmac, randomBytes, sha256 } from '../nginx/crypto.ts'
import { node } from '../nginx/node.ts'
import { derivedKey, keysOfGroup } from '../nginx/secrets.ts'
import { challengePieces } from './challenge-page.ts'

const cookieName: typeof challengeCookie = 'bw_pass'
const keyContext: typeof challengeKeyContext = 'breakwater challenge'
const redirect = 4

/** Milliseconds that must pass after the page was requested, and that may pass at most. */
const waitMs: Record<number, number> = { 1: 5000, 2: 1000, 3: 1000, 5: 1000 }
const answerMsMax = 600_000

/** Keys of the sites that currently challenge visitors: deriving a key costs as much as a signature. */
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
  digest(site, day, signed, text) {
    const keys = keysOfGroup()
    for (let i = 0; i < keys.length && i < 2; i++) {
      const key = keyOf(keys[i]!, site, day)
      if (equalBytes(base64url(hmac(key, signed.text)), signed.signature)) return hmac(key, text)
    }
    return undefined
  },
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
  return satisfies(modesOf(request), blockType) || verifiedBot(request) !== undefined
}

function setPass(request: EdgeRequest, mode: number): void {
  const before = modesOf(request)
  const modes = before.indexOf(`${mode}`) >= 0 ? before : `${before}${mode}`
  const value = passCookie(bindingOf(request), request.time, modes, signer)
  const secure = ngx.var.scheme === 'https' ? '; Secure' : ''
  ngx.header['Set-Cookie'] = `${cookieName}=${value}; Path=/; Max-Age=${passSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Answers with the page of a mode. The redirect mode sends the visitor back at once, with its cookie. */
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
  // A page costs more than most responses, and pages are requested in floods: other waiting requests go first.
  ngx.sleep(0)
  const ms = math.floor(request.time * 1000)
  const nonce = `${node().node}-${base64url(randomBytes(12))}`
  const asked = { ms, mode, bits: bitsNow(request), nonce }
  noteAsked(request, 1)
  const { token, digest } = askToken(bindingOf(request), asked, signer)
  const language = languageFor(ngx.var.http_accept_language as string | undefined)
  ngx.header['Retry-After'] = '5'
  const { pieces, length } = challengePieces(
    language,
    mode,
    waitMs[mode] ?? waitMs[1]!,
    answerFrom(mode, digest),
    token,
    reference,
  )
  send(503, 'text/html; charset=utf-8', pieces, length)
}

const memory = ngx.shared.challenges!

/** Per site: otherwise a tenant that trusts a proxy of its own could raise the price for any address on other sites. */
const wrongKey = (request: EdgeRequest): string => `w${request.site}:${clientKey(request.addressBytes, false)}`

/** The number of wrong answers from the client address in the last hour. */
function wrongAnswers(request: EdgeRequest): number {
  const [count] = memory.get(wrongKey(request))
  return (count as number | undefined) ?? 0
}

/** The key of a counter per site and minute: pages requested minus pages solved. */
const unsolvedKey = (site: number, minute: number): string => `u${site}:${minute}`
const minuteOf = (request: EdgeRequest): number => math.floor(request.time / 60)

function noteAsked(request: EdgeRequest, count: number): void {
  memory.incr(unsolvedKey(request.site, minuteOf(request)), count, 0, 120)
}

/**
 * The current difficulty of a page: by the wrong answers of the address or by the site's unsolved pages, whichever is
 * higher.
 */
function bitsNow(request: EdgeRequest): number {
  const minute = minuteOf(request)
  const [now] = memory.get(unsolvedKey(request.site, minute))
  const [before] = memory.get(unsolvedKey(request.site, minute - 1))
  // Estimates the last sixty seconds, as if the requests of the previous minute had been spread evenly.
  const share = 1 - (request.time % 60) / 60
  const unsolved = ((now as number | undefined) ?? 0) + ((before as number | undefined) ?? 0) * share
  return math.max(bitsFor(wrongAnswers(request)), bitsForSite(unsolved))
}

/** Whether the hash of token and counter begins with `bits` zero bits. */
function hasWorked(token: string, counter: string, bits: number): boolean {
  if (counter === '' || counter.length > 12) return false
  const [a, b, c, d] = string.byte(sha256(`${token}:${counter}`), 1, 4)
  return ((a! * 256 + b!) * 256 + c!) * 256 + d! < 2 ** (32 - bits)
}

/** A form field whose value needs no decoding. */
function field(body: string, name: string): string {
  for (const pair of body.split('&')) if (pair.startsWith(`${name}=`)) return pair.substring(name.length + 1)
  return ''
}

function judged(action: Verdict['action'], status: number): Verdict {
  const cause = action === 'answer' ? causes.none : causes.challenge
  return { action, guard: 'challenge', rule: 0, cause, status, blockType: 0 }
}

/**
 * Judges the answer that a page sent. A wrong, early, late, foreign or reused one is always refused in the same way.
 */
export function answerOf(request: EdgeRequest): Verdict {
  const refused = judged('block', 403)
  const length = tonumber(ngx.var.http_content_length) ?? 0
  if (request.method !== 'POST' || length < 1 || length > 2000) return refused
  ngx.req.read_body()
  const body = ngx.req.get_body_data() ?? ''
  const token = field(body, 't')
  const asked = openAsk(token, bindingOf(request), signer)
  if (asked === undefined) return refused
  const age = request.time * 1000 - asked.ms
  const wait = waitMs[asked.mode]
  if (wait === undefined || age < wait || age > answerMsMax) return refused
  // Each node counts its own tries, so a guessable answer must be judged on the node that issued the challenge.
  if (isGuessable(asked.mode) && !asked.nonce.startsWith(`${node().node}-`)) return refused
  const wrong = wrongAnswers(request)
  const answer = field(body, 'a')
  const isUnseen = isGuessable(asked.mode) && answer === unseenAnswer
  const bits = isUnseen ? unseenBits(asked.bits) : asked.bits
  if (!isEnough(asked.bits, wrong) || !hasWorked(token, field(body, 'n'), bits)) return refused
  const [tries] = memory.incr(asked.nonce, 1, 0, answerMsMax / 1000 + 60)
  if (tries === undefined || tries > triesMax) return refused
  if (!isUnseen && !isRight(asked.mode, answerFrom(asked.mode, asked.digest), answer)) {
    memory.incr(wrongKey(request), 1, 0, wrongSeconds)
    return refused
  }
  // Accepts no further answer to this challenge. Another worker may have accepted one at the same moment.
  const [isFirst] = memory.add(`r${asked.nonce}`, true, answerMsMax / 1000 + 60)
  if (!isFirst) return refused
  noteAsked(request, -1)
  setPass(request, asked.mode)
  return judged('answer', 204)
}
