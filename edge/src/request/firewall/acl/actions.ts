/** What Lua ACL rules do other than block and challenge. A rule in observe mode changes nothing. */
import type { EdgeAcl } from '@breakwater/contract/edge/acl-part.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { GuardName } from '@breakwater/contract/edge/guards.ts'
import { isReservedHeader, isReservedRequestHeader } from '@breakwater/contract/edge/header-names.ts'
import type { EdgeRequest, Tools, Verdict } from '../../lib/guard.ts'
import { type Condition, enforced } from '../rule.ts'

export type Act = {
  action: EdgeAcl['action']
  blockType: number
  /** The key under which a limit counts: no rule of another kind uses it. */
  key: string
  rate: number
  burst: number
  status: number
  target: string
  /** Absent if there is none, and for reserved headers. */
  header: { name: string; value: string } | undefined
  /** Whether the header is for the origin instead of the visitor. */
  isForOrigin: boolean
  skip: readonly GuardName[]
}

function headerOf(header: EdgeAcl['header']): Act['header'] {
  if (header === undefined) return undefined
  const { key, value, of } = header
  const isReserved = of === 'request' ? isReservedRequestHeader(key) : isReservedHeader(key)
  return isReserved ? undefined : { name: key, value }
}

export function compileAct({ id, action, blockType, limit, redirect, header, skip }: EdgeAcl): Act {
  return {
    ...{ action, blockType, key: `acl${id}`, rate: limit?.rate ?? 1, burst: limit?.burst ?? 0 },
    ...{ status: redirect?.statusCode ?? 302, target: redirect?.target ?? '/', skip: skip ?? [] },
    ...{ header: headerOf(header), isForOrigin: header?.of === 'request' },
  }
}

const verdictOf = (when: Condition, action: Verdict['action'], status: number, cause: Verdict['cause']): Verdict => ({
  ...{ action, guard: 'luaAcls', rule: when.id, cause, status, blockType: 0 },
})

/** Applies a rule to a request that matches it. Returns undefined if the next rules are to be checked. */
export function act(when: Condition, rule: Act, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (rule.action === 'allow') return enforced(when, request, verdictOf(when, 'allow', 0, causes.none))
  if (rule.action === 'limit') {
    if (tools.take(request.site, rule.key, request.addressBytes, rule.rate, rule.burst)) return undefined
    return enforced(when, request, verdictOf(when, 'block', 429, causes.rateLimit))
  }
  const seen = verdictOf(when, 'redirect', rule.status, causes.none)
  if (rule.action === 'redirect') {
    seen.location = rule.target
    return enforced(when, request, seen)
  }
  if (when.observe) return enforced(when, request, seen)
  // A reserved header.
  if (rule.header === undefined && rule.skip.length === 0) return undefined
  request.acted ??= seen
  if (rule.header !== undefined && rule.isForOrigin) {
    request.originHeaders ??= []
    request.originHeaders.push(rule.header)
  } else if (rule.header !== undefined) {
    request.headers ??= []
    request.headers.push(rule.header)
  } else {
    request.skipped ??= {}
    for (const guard of rule.skip) request.skipped[guard] = true
  }
  return undefined
}
