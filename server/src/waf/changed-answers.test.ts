/** Which response rules have changed. */
import type { WafRule } from '@breakwater/contract/edge/waf-rules.ts'
import { expect, test } from 'vitest'
import { changedAnswerRules } from './changed-answers.ts'
import { coreRuleSet } from './core-rule-set.ts'

type Condition = WafRule['conditions'][number]
const condition: Condition = { operator: 'rx', argument: 'a', targets: [{ from: 'RESPONSE_BODY' }], transforms: [] }
const rule = (id: number, changes: Partial<Condition> = {}): WafRule => ({
  ...{ id, level: 1 },
  conditions: [{ ...condition, score: 4, ...changes }],
})
const setter = (argument: string): WafRule => rule(1, { argument, score: 0, sets: [{ name: 'sql', value: '1' }] })
const asking = rule(2, { targets: [{ from: 'TX', name: 'sql' }] })

test('a rule is observed if the previous set had no rule of its id, or a different one', () => {
  const before = { rules: [rule(3), rule(4)] }
  expect(changedAnswerRules(before, before)).toEqual([])
  expect(changedAnswerRules(undefined, before)).toEqual([3, 4].map((ruleID) => ({ ruleID, isNew: true })))
  expect(changedAnswerRules(before, { rules: [rule(3), rule(4, { argument: 'b' }), rule(5)] })).toEqual([
    { ruleID: 4, isNew: false },
    { ruleID: 5, isNew: true },
  ])
  expect(changedAnswerRules(before, undefined)).toEqual([])
  const { responses } = coreRuleSet()
  expect(changedAnswerRules(responses, responses)).toEqual([])
})

test('if a rule that sets a variable changed, so did those that read variables', () => {
  const before = { rules: [setter('error'), asking, rule(3)] }
  expect(changedAnswerRules(before, { rules: [setter('error'), asking, rule(3)] })).toEqual([])
  expect(changedAnswerRules(before, { rules: [setter('errors'), asking, rule(3)] })).toEqual([
    { ruleID: 2, isNew: false },
  ])
})
