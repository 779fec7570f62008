/** Anti-referer rules: which sites' pages may embed the files of a domain. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, blocked, type Condition, condition, enforced } from './rule.ts'

type AntiReferer = {
  when: Condition
  names: Record<string, boolean>
  /** Hosts seen recently, and whether they are listed: the same few come again and again. */
  known: Record<string, boolean>
  knownCount: number
  isBlack: boolean
  allowEmpty: boolean
}

const knownMax = 256

/** The host in a Referer, lower case, or '' if it contains none. */
export function refererHost(referer: string): string {
  const scheme = referer.indexOf('://')
  if (scheme < 0) return ''
  let from = scheme + 3
  let to = referer.indexOf('/', from)
  if (to < 0) to = referer.length
  const mark = referer.indexOf('?', from)
  if (mark >= 0 && mark < to) to = mark
  const at = referer.indexOf('@', from)
  if (at >= 0 && at < to) from = at + 1
  const colon = referer.indexOf(':', from)
  if (colon >= 0 && colon < to) to = colon
  if (to > from && referer.charAt(to - 1) === '.') to--
  return referer.substring(from, to).toLowerCase()
}

function isListed(rule: AntiReferer, host: string): boolean {
  const before = rule.known[host]
  if (before !== undefined) return before
  let listed = rule.names[host] === true
  for (let dot = host.indexOf('.'); !listed && dot >= 0; dot = host.indexOf('.', dot + 1))
    listed = rule.names[`*${host.substring(dot)}`] === true
  if (rule.knownCount >= knownMax) {
    rule.known = {}
    rule.knownCount = 0
  }
  rule.known[host] = listed
  rule.knownCount++
  return listed
}

function isAllowed(rule: AntiReferer, referer: string | undefined, own: string): boolean {
  if (referer === undefined || referer === '') return rule.allowEmpty
  const host = refererHost(referer)
  if (host === own) return true
  return isListed(rule, host) !== rule.isBlack
}

/** If Referer was sent more than once, each value must be allowed; no browser repeats it. */
function areAllAllowed(rule: AntiReferer, own: string, tools: Tools): boolean {
  const values = tools.repeated('referer')
  if (values === undefined) return true
  for (const one of values) if (!isAllowed(rule, one, own)) return false
  return true
}

function judged(this: void, rule: AntiReferer, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools)) return undefined
  const referer = tools.header('referer')
  if (isAllowed(rule, referer, request.host) && (referer === undefined || areAllAllowed(rule, request.host, tools)))
    return undefined
  return enforced(rule.when, request, blocked('antiReferers', rule.when.id, causes.accessRule))
}

const { first: firstRule, ready } = firstVerdictOf(judged)

export const antiReferers: Guard<AntiReferer[], 'firewall'> = {
  name: 'antiReferers',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.antiReferers
    if (rules === undefined || rules.length === 0) return undefined
    return ready(
      rules.map((rule) => {
        const names: Record<string, boolean> = {}
        for (const name of rule.referers) names[name] = true
        const { isBlack, allowEmpty } = rule
        return { when: condition(rule, tools), names, known: {}, knownCount: 0, isBlack, allowEmpty }
      }),
    )
  },
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
