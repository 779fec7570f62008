/**
 * Lets the WAF inspect an origin's response while the relay passes it on. In observe mode nothing is held back. In
 * enforce mode the first 64 KB are held back; a later match ends the response early, so that nobody stores it.
 */

import { formDecoded } from '../bytes/url.ts'
import { noteLeak } from '../domains/leaks.ts'
import {
  type Answer,
  heldMax,
  inspectedMax,
  isInspectedType,
  judgeAnswer,
  type Leak,
  type Responses,
} from '../firewall/waf/responses.ts'
import type { Framing } from '../lib/answer-framing.ts'
import { canonicalPath } from '../lib/canonical.ts'
import { trimmed } from '../lib/trimmed.ts'
import type { Pair } from '../lib/waf-tools.ts'
import { matchesRegex } from '../nginx/regex.ts'
import { wafMatching } from '../nginx/waf-matching.ts'
import { responseRules } from '../sites/zone-rule-set.ts'
import { bodyReader } from './body-reader.ts'
import { spentOnWaf, wafAllowance } from './waf-cpu-time.ts'

/** CPU seconds that one inspection may take. */
const timeMax = 0.05

export type Looked = {
  responses: Responses
  site: number
  method: string
  status: number
  headers: Pair[]
}

/** The headers of a response head, without the status line. */
export function headersOf(lines: readonly string[]): Pair[] {
  const headers: Pair[] = []
  for (let n = 1; n < lines.length; n++) {
    const line = lines[n]!
    const colon = line.indexOf(':')
    if (colon > 0) headers.push({ name: line.substring(0, colon), value: trimmed(line.substring(colon + 1)) })
  }
  return headers
}

/** Whether a response is inspected: uncompressed text that is not larger than the inspection limit. */
export function isInspected({ status, headers }: Looked, { body }: Framing): boolean {
  if (status === 101 || body === 0 || (typeof body === 'number' && body > inspectedMax)) return false
  let type: string | undefined
  for (const { name, value } of headers) {
    const lower = name.toLowerCase()
    if (lower === 'content-type') type = value
    if (lower === 'content-encoding' && value.toLowerCase() !== 'identity') return false
  }
  return isInspectedType(type)
}

const tools = { ...wafMatching, matches: matchesRegex, formDecoded }

/** Limited by the site's CPU budget, like all of the WAF. */
function look({ responses, site, method, status, headers }: Looked, body: string): Leak | undefined {
  const rules = responseRules(responses.ruleSet)
  if (rules === undefined) return undefined
  const target = ngx.var.request_uri as string
  const mark = target.indexOf('?')
  const raw = mark < 0 ? target : target.substring(0, mark)
  const asked = { method, target, path: canonicalPath(raw) ?? raw, time: ngx.time() }
  const answer: Answer = { status, headers, body }
  const turn = tools.beginTurn(wafAllowance(site, timeMax))
  const leak = judgeAnswer(responses, rules, asked, answer, tools, turn)
  spentOnWaf(site, tools.takenIn(turn))
  return leak
}

/** Passes on a response while inspecting it. `refused`: it was not passed on, or not completely. */
export function passInspected(
  from: TcpSocket,
  to: TcpSocket,
  head: string,
  { body }: Framing,
  looked: Looked,
  id: string,
): 'whole' | 'broken' | 'refused' {
  const next = bodyReader(from, body)
  let held: string[] | undefined = looked.responses.isEnforced ? [head] : undefined
  if (held === undefined) to.send(head)
  let texts: string[] | undefined = []
  let length = 0
  for (;;) {
    const piece = next()
    if (piece === undefined) {
      if (held !== undefined) to.send(held.join(''))
      return 'broken'
    }
    if (texts !== undefined) {
      texts.push(piece.text)
      length += piece.text.length
      const isDone = piece.isLast || length >= inspectedMax
      if (isDone || (held !== undefined && length >= heldMax)) {
        const leak = look(looked, texts.join('').substring(0, inspectedMax))
        const isRefused = leak?.isRefused === true && looked.responses.isEnforced
        if (leak !== undefined) noteLeak(id, leak, isRefused)
        if (isRefused) return 'refused'
      }
      if (isDone) texts = undefined
    }
    if (held !== undefined) {
      held.push(piece.raw)
      if (length < heldMax && !piece.isLast) continue
      to.send(held.join(''))
      held = undefined
    } else if (piece.raw !== '') {
      const [sent] = to.send(piece.raw)
      if (sent === undefined) return 'broken'
    }
    if (piece.isLast) return body === 'close' ? 'broken' : 'whole'
  }
}
