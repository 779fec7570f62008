/** Handles a WAF match in an origin's response: the page in its place, and the log row. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import { exceptWord } from '@breakwater/contract/edge/waf-words.ts'
import { leakOf } from '../domains/leaks.ts'
import { blocked } from '../firewall/rule.ts'
import type { Leak } from '../firewall/waf/responses.ts'
import { hostEntry } from '../sites/site-cache.ts'
import { type RequestContext, takeContext } from './context.ts'
import { referenceOf } from './reference.ts'
import { answer, note, noteWaf } from './respond.ts'

/** The leak for which a request's response was refused, by request id. Returns undefined if it was not refused. */
export function refusedLeak(id: string): Leak | undefined {
  const leak = leakOf(id)
  return leak?.isRefused === true ? leak : undefined
}

/** Answers the visitor, who is not banned for what the origin sent. */
export function leakNow(): void {
  // A slice in the middle of a response: the page would end up in the middle of the object.
  if (ngx.is_subrequest) {
    ngx.exit(ngx.ERROR)
    return
  }
  takeContext()
  const leak = refusedLeak(ngx.var.bw_id as string)
  const entry = hostEntry(ngx.var.host as string)
  if (leak === undefined || entry === undefined) {
    answer(502)
    return
  }
  const verdict = blocked('waf', leak.rule, causes.accessRule)
  note(verdict, 'block')
  noteWaf(leak)
  const { site, revision } = entry.site
  answer(403, referenceOf({ site, time: ngx.time() }, revision, verdict), causes.accessRule)
}

/** Writes a match in the response to the log row, unless something else was noted for the request. */
export function tellLeak(): void {
  const { entry } = ngx.ctx as Partial<RequestContext>
  if (entry?.domain.responses === undefined) return
  const leak = leakOf(ngx.var.bw_id as string)
  if (leak === undefined) return
  const vars = ngx.var
  const said = vars.bw_waf as string
  if (said === '') noteWaf(leak)
  else if (said.startsWith(`${exceptWord}:`)) noteWaf({ score: leak.score, text: `${leak.text} ${said}` })
  if (vars.bw_guard === '' && leak.rule > 0)
    note(blocked('waf', leak.rule, causes.accessRule), leak.isRefused ? 'block' : 'observe')
}
