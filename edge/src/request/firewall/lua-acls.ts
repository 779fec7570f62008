/** The Lua ACL of a domain: rules of conditions and an action, in their order. */
import type { EdgeAcl } from '@breakwater/contract/edge/acl-part.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { CompileTools, EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { compileProgram, type Program, runProgram } from './acl/program.ts'
import { answerPath } from './challenge.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { type Condition, condition, enforced, refusedOrChallenged } from './rule.ts'

type Acl = { when: Condition; program: Program; action: EdgeAcl['action']; blockType: number }

function compileRule(rule: EdgeAcl, tools: CompileTools): Acl {
  const { action, blockType } = rule
  const when = condition({ ...rule, urlRegex: '' }, tools, action === 'allow')
  return { when, program: compileProgram(rule.tests, tools), action, blockType }
}

/** A rule that refuses needs one reading of the path, one that allows needs all. */
function speaksOf({ when, program }: Acl, request: EdgeRequest, tools: Tools): boolean {
  if (request.time >= when.expiresAt) return false
  const holds = runProgram(program, request.path, request, tools)
  if (request.otherPaths === undefined || holds !== when.grants) return holds
  for (const path of request.otherPaths)
    if (runProgram(program, path, request, tools) !== when.grants) return !when.grants
  return when.grants
}

function judged(this: void, rule: Acl, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!speaksOf(rule, request, tools)) return undefined
  const { when, action, blockType } = rule
  if (action === 'allow') {
    const verdict: Verdict = { action, guard: 'luaAcls', rule: when.id, cause: causes.none, status: 0, blockType: 0 }
    return enforced(when, request, verdict)
  }
  const verdict = refusedOrChallenged('luaAcls', when, blockType, causes.accessRule, request, tools)
  return verdict
}

const { first: firstRule, ready } = firstVerdictOf(judged)

export const luaAcls: Guard<Acl[], 'luaAcls'> = {
  name: 'luaAcls',
  takes: 'luaAcls',
  phase: 'headers',
  compile: ({ rules }, tools) =>
    rules.length === 0 ? undefined : ready(rules.map((rule) => compileRule(rule, tools))),
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
