/** The Lua ACL of a domain: an ordered list of rules, each with conditions and an action. */
import type { EdgeAcl } from '@breakwater/contract/edge/acl-part.ts'
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { CompileTools, EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { type Act, act, compileAct } from './acl/actions.ts'
import { compileProgram, type Program, runProgram } from './acl/program.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { type Condition, condition, refusedOrChallenged } from './rule.ts'

type Acl = { when: Condition; program: Program; act: Act }

/** Actions that grant something: they apply only if every reading of the path matches. */
const grants: Record<string, boolean> = { allow: true, skip: true, redirect: true, header: true }

function compileRule(rule: EdgeAcl, tools: CompileTools): Acl {
  const when = condition({ ...rule, urlRegex: '' }, tools, grants[rule.action] === true)
  return { when, program: compileProgram(rule.tests, tools), act: compileAct(rule) }
}

/** Whether a rule applies. One that refuses must match one reading of the path, one that grants must match all. */
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
  const { when, act: of } = rule
  const verdict =
    of.action === 'block' || of.action === 'challenge'
      ? refusedOrChallenged('luaAcls', when, of.blockType, causes.accessRule, request, tools)
      : act(when, of, request, tools)
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
