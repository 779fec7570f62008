/**
 * The only module that answers requests. It logs the same verdict that it answers, so statistics and refusals cannot
 * disagree.
 */

import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'
import { encode } from 'cjson.safe'
import { type Language, languageFor, wantsJson, wantsPage } from '../lib/accept.ts'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { noteRefused, noteUnsolved } from '../nginx/bans.ts'
import { beginBan } from './begin-ban.ts'
import { challengePage } from './challenge.ts'
import type { RequestContext } from './context.ts'
import { pageFor, pageText, sayPage } from './error-pages.ts'
import { endCall } from './grpc-call.ts'
import { sayHsts } from './headers.ts'
import { logAll } from './log-row.ts'
import { page } from './page.ts'
import { type Phrases, phrases } from './phrases.ts'
import { referenceOf } from './reference.ts'

/** Writes a verdict into the variables that the log row and the counters read. */
export function note(verdict: Verdict, action: string): void {
  const vars = ngx.var
  const context = ngx.ctx as RequestContext
  context.cause = verdict.cause
  context.action = action
  vars.bw_cause = verdict.cause
  vars.bw_guard = verdict.guard
  vars.bw_rule = verdict.rule
  vars.bw_action = action
  logAll()
}

/** Notes what the WAF found, whether or not it refused the request. */
export function noteWaf({ score, text }: { score: number; text: string }): void {
  const vars = ngx.var
  vars.bw_waf_score = score
  vars.bw_waf = text
  logAll()
}

/** Notes what the shadow rule set would have done with the request (contract: `waf-shadow.ts`). */
export function noteWafShadow(text: string): void {
  ngx.var.bw_waf_shadow = text
  logAll()
}

const titles: Record<number, keyof Phrases> = {
  1: 'closed',
  400: 'badRequest',
  401: 'unidentified',
  403: 'blocked',
  411: 'unmeasured',
  413: 'tooLarge',
  421: 'misdirected',
  429: 'limited',
  503: 'limited',
  500: 'failed',
  502: 'unreachable',
  504: 'unreachable',
  11: 'unreachable',
  12: 'unreachable',
  13: 'unreachable',
  14: 'unreachable',
  15: 'unreachable',
  16: 'unreachable',
  17: 'unreachable',
}
/** Used in place of the status if the site itself is closed. */
const closed = 1

/** Used in place of the status if no origin answered. */
export const failureWords: Record<OriginFailure, number> = {
  none: 11,
  dns: 12,
  connect: 13,
  tls: 14,
  timeout: 15,
  reset: 16,
  invalid: 17,
}

const reasons: Record<number, keyof Phrases> = {
  1: 'closedWhy',
  401: 'unidentifiedWhy',
  403: 'blockedWhy',
  429: 'limitedWhy',
  500: 'failedWhy',
  502: 'unreachableWhy',
  504: 'unreachableWhy',
  11: 'originNone',
  12: 'originDns',
  13: 'originConnect',
  14: 'originTls',
  15: 'originTimeout',
  16: 'originReset',
  17: 'originInvalid',
}

/**
 * Bans clients that keep being refused, if the site wants that. Refusals by a ban do not extend it. A client that has
 * not authenticated has not been refused yet, and failed credentials are counted separately.
 */
function escalate(request: EdgeRequest, revision: number, verdict: Verdict): void {
  const seconds = (ngx.ctx as Partial<RequestContext>).entry?.site.banSeconds
  if (seconds === undefined || verdict.guard === 'bans' || verdict.guard === 'siteStatus') return
  if (verdict.guard === 'authRules') return
  if (noteRefused(request.site, request.addressBytes)) beginBan(request, revision, verdict, seconds)
}

/**
 * Whether a page is useless to the sender. With whole-site protection the visitors include API clients, which often
 * accept any type; and a client that shows a key or token is one.
 */
function isProgram({ guard }: Verdict): boolean {
  const context = ngx.ctx as RequestContext
  if (context.isCall === true || context.showsKey?.(context) === true) return true
  const accept = ngx.var.http_accept as string | undefined
  return wantsJson(accept) || (guard === 'siteMode' && !wantsPage(accept))
}

/** Actions that the log calls by another name. */
const loggedActions: Record<string, string> = { drop: 'block', answer: 'pass', redirect: 'pass' }

/** Answers a request that a guard refused, challenged or redirected. */
export function respond(request: EdgeRequest, revision: number, verdict: Verdict): void {
  note(verdict, loggedActions[verdict.action] ?? verdict.action)
  if (verdict.action === 'block') escalate(request, revision, verdict)
  else if (verdict.action === 'challenge' && verdict.ban !== undefined) {
    const { ban } = verdict
    if (noteUnsolved(request.site, ban, request.addressBytes)) beginBan(request, revision, verdict, ban.seconds)
  }
  if (verdict.action === 'drop') {
    ngx.var.bw_route = 'refused'
    ngx.exit(444)
    return
  }
  if (verdict.action === 'answer') {
    send(204, 'text/plain', [], 0)
    return
  }
  if (verdict.action === 'redirect') {
    ngx.header.Location = verdict.location
    send(verdict.status, 'text/plain', [], 0)
    return
  }
  const reference = referenceOf(request, revision, verdict)
  if (verdict.action === 'challenge' && !isProgram(verdict)) {
    challengePage(request, verdict, reference, send)
    return
  }
  if (verdict.status === 429 || verdict.status === 503) ngx.header['Retry-After'] = verdict.status === 503 ? '5' : '1'
  const about = verdict.guard === 'siteStatus' ? closed : verdict.status
  answer(verdict.status, reference, verdict.cause, about, verdict.action === 'challenge')
}

/**
 * Answers with an error of ours: a failure, an unreachable origin, a host on the wrong connection. `about` selects the
 * text; a site's own page applies to the status in general. `asJson` is for clients that did not say what they accept.
 */
export function answer(status: number, reference?: string, cause = 0, about = status, asJson = false): void {
  if ((ngx.ctx as Partial<RequestContext>).isCall === true) {
    const words = phrases.en
    const why = reasons[about]
    const said = `${words[titles[about] ?? 'blocked']}${why === undefined ? '' : `: ${words[why]}`}`
    endCall(status, reference === undefined ? said : `${said} (${reference})`)
    return
  }
  const language = languageFor(ngx.var.http_accept_language as string | undefined)
  if (asJson || wantsJson(ngx.var.http_accept as string | undefined)) {
    const title = phrases[language][titles[about] ?? 'blocked']
    const why = about === status ? undefined : reasons[about]
    const detail = why === undefined ? undefined : phrases[language][why]
    const problem = { type: 'about:blank', title, detail, status, reference }
    const text = encode(problem)
    send(status, 'application/problem+json', [text], text.length)
    return
  }
  const own = about !== closed ? pageFor(status, cause) : undefined
  if (own !== undefined) {
    const text = pageText(own, status, reference ?? '')
    ngx.var.bw_route = 'refused'
    ngx.status = status
    sayPage(text.length)
    if (ngx.req.get_method() !== 'HEAD') ngx.print(text)
    ngx.exit(status)
    return
  }
  const { before, after } = shellOf(language, about, reference !== undefined)
  const shown = reference ?? ''
  send(status, 'text/html; charset=utf-8', [before, shown, after], before.length + shown.length + after.length)
}

/** A page without the parts that differ between requests. */
type Shell = { before: string; after: string }

const shells: Record<string, Record<number, Shell>> = { en: {}, 'zh-CN': {}, 'zh-TW': {} }
const shellsWithReference: typeof shells = { en: {}, 'zh-CN': {}, 'zh-TW': {} }

function shellOf(language: Language, status: number, hasReference: boolean): Shell {
  const made = (hasReference ? shellsWithReference : shells)[language]!
  made[status] ??= makeShell(language, status, hasReference)
  return made[status]!
}

/** A placeholder for the reference; the page is split there. It occurs in no phrase. */
const cut = '\0'

function makeShell(language: Language, status: number, hasReference: boolean): Shell {
  const words = phrases[language]
  const why = reasons[status]
  const about = why === undefined ? '' : `<p>${words[why]}</p>`
  const shown = hasReference ? `<dl><dt>${words.reference}</dt><dd>${cut}</dd></dl>` : cut
  const [before, after] = page(language, words[titles[status] ?? 'blocked'], about + shown).split(cut)
  return { before: before!, after: after! }
}

/**
 * Ends the request with a body of ours, given in pieces with their total length. It must not be stored, and may load
 * nothing.
 */
function send(status: number, contentType: string, pieces: string[], length: number): void {
  ngx.var.bw_route = 'refused'
  ngx.status = status
  ngx.header['Content-Type'] = contentType
  if (status !== 204) ngx.header['Content-Length'] = `${length}`
  ngx.header['Cache-Control'] = 'no-store'
  const hsts = (ngx.ctx as Partial<RequestContext>).entry?.site.settings.hsts
  if (hsts !== undefined) sayHsts(hsts)
  ngx.header['X-Content-Type-Options'] = 'nosniff'
  ngx.header['Content-Security-Policy'] =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  if (ngx.req.get_method() !== 'HEAD') ngx.print(pieces)
  ngx.exit(status)
}

/** Our own code failed: refuses the request, because a guard that cannot decide must not let it pass. */
export function respondFailure(): void {
  answer(500)
}
