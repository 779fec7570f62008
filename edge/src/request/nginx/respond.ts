/** The only module that answers. What it was given is what is logged, so the statistics and the refusal cannot disagree. */
import { encode } from 'cjson.safe'
import type { EdgeRequest, Verdict } from '../guard.ts'
import { type Language, languageFor, wantsJson } from '../lib/accept.ts'
import { challengePage } from './challenge.ts'
import type { RequestContext } from './context.ts'
import { page } from './page.ts'
import { type Phrases, phrases } from './phrases.ts'
import { referenceOf } from './reference.ts'

/** Writes a verdict into the variables that the log row and the counters read. */
export function note(verdict: Verdict, action: string): void {
  const vars = ngx.var
  const context = ngx.ctx as RequestContext
  context.cause = verdict.cause
  vars.bw_cause = verdict.cause
  vars.bw_guard = verdict.guard
  vars.bw_rule = verdict.rule
  vars.bw_action = action
}

const titles: Record<number, keyof Phrases> = {
  400: 'badRequest',
  403: 'blocked',
  413: 'tooLarge',
  421: 'misdirected',
  429: 'limited',
  503: 'limited',
  500: 'failed',
  502: 'unreachable',
  504: 'unreachable',
}
const reasons: Record<number, keyof Phrases> = {
  403: 'blockedWhy',
  429: 'limitedWhy',
  500: 'failedWhy',
  502: 'unreachableWhy',
  504: 'unreachableWhy',
}

/** Answers a request that a guard did not let through. */
export function respond(request: EdgeRequest, revision: number, verdict: Verdict): void {
  note(verdict, verdict.action === 'drop' ? 'block' : verdict.action === 'answer' ? 'pass' : verdict.action)
  if (verdict.action === 'drop') {
    ngx.var.bw_route = 'refused'
    ngx.exit(444)
    return
  }
  if (verdict.action === 'answer') {
    send(204, 'text/plain', [], 0)
    return
  }
  const reference = referenceOf(request, revision, verdict)
  if (verdict.action === 'challenge' && !wantsJson(ngx.var.http_accept as string | undefined)) {
    challengePage(request, verdict, reference, send)
    return
  }
  if (verdict.status === 429 || verdict.status === 503) ngx.header['Retry-After'] = verdict.status === 503 ? '5' : '1'
  answer(verdict.status, reference)
}

/** Answers for our own part: a failure, an origin that does not answer, a host on the wrong connection. */
export function answer(status: number, reference?: string): void {
  const language = languageFor(ngx.var.http_accept_language as string | undefined)
  if (wantsJson(ngx.var.http_accept as string | undefined)) {
    const title = phrases[language][titles[status] ?? 'blocked']
    const problem = { type: 'about:blank', title, status, ...(reference !== undefined && { reference }) }
    const text = encode(problem)
    send(status, 'application/problem+json', [text], text.length)
    return
  }
  const { before, after } = shellOf(language, status, reference !== undefined)
  const shown = reference ?? ''
  send(status, 'text/html; charset=utf-8', [before, shown, after], before.length + shown.length + after.length)
}

/** A page without what differs from one request to the next. */
type Shell = { before: string; after: string }

const shells: Record<string, Record<number, Shell>> = { en: {}, 'zh-CN': {}, 'zh-TW': {} }
const shellsWithReference: typeof shells = { en: {}, 'zh-CN': {}, 'zh-TW': {} }

function shellOf(language: Language, status: number, hasReference: boolean): Shell {
  const made = (hasReference ? shellsWithReference : shells)[language]!
  made[status] ??= makeShell(language, status, hasReference)
  return made[status]!
}

/** Stands for the reference until the page is cut there; no phrase has it. */
const cut = '\0'

function makeShell(language: Language, status: number, hasReference: boolean): Shell {
  const words = phrases[language]
  const why = reasons[status]
  const about = why === undefined ? '' : `<p>${words[why]}</p>`
  const shown = hasReference ? `<dl><dt>${words.reference}</dt><dd>${cut}</dd></dl>` : cut
  const [before, after] = page(language, words[titles[status] ?? 'blocked'], about + shown).split(cut)
  return { before: before!, after: after! }
}

/** Ends the request with a body of ours, in pieces of that length together. Nobody may keep it, and it may load nothing. */
function send(status: number, contentType: string, pieces: string[], length: number): void {
  ngx.var.bw_route = 'refused'
  ngx.status = status
  ngx.header['Content-Type'] = contentType
  if (status !== 204) ngx.header['Content-Length'] = `${length}`
  ngx.header['Cache-Control'] = 'no-store'
  ngx.header['X-Content-Type-Options'] = 'nosniff'
  ngx.header['Content-Security-Policy'] =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  if (ngx.req.get_method() !== 'HEAD') ngx.print(pieces)
  ngx.exit(status)
}

/** Where our own code failed: the request is refused, for a guard that cannot decide must not let it pass. */
export function respondFailure(): void {
  answer(500)
}
