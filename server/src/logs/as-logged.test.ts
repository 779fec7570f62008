import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Explanation, GuardStep } from '@breakwater/contract/edge/explain.ts'
import { expect, test } from 'vitest'
import { asLogged } from './as-logged.ts'

const step = (guard: string): GuardStep => ({ guard, phase: 'headers', outcome: 'passed', rule: 0, cause: 0 })
const asked: Explanation = { steps: ['denyRules', 'authRules', 'waf', 'bodyRules'].map(step), verdict: 'pass' }
const told = (row: Partial<RequestRow>) => {
  const { steps, verdict } = asLogged(asked, { rule: 0, cause: 0, waf: '', wafScore: 0, ...row } as RequestRow)
  return [verdict, ...steps.map(({ outcome }) => outcome)]
}

test('guards that decide by data that no row holds get their result from the row', () => {
  expect(told({ guard: '', action: 'pass' })).toEqual(['pass', 'passed', 'passed', 'passed', 'passed'])
  expect(told({ guard: 'authRules', rule: 7, action: 'block' })).toEqual([
    ...['block', 'passed', 'block', 'skipped', 'skipped'],
  ])
  expect(told({ guard: 'waf', rule: 9, action: 'challenge' })).toEqual([
    ...['challenge', 'passed', 'passed', 'challenge', 'skipped'],
  ])
  expect(told({ guard: 'waf', rule: 9, action: 'observe' })).toEqual(['pass', 'passed', 'passed', 'observe', 'passed'])
})

test('the WAF’s findings are shown whichever guard decided', () => {
  const { steps } = asLogged(asked, {
    guard: 'bodyRules',
    action: 'block',
    waf: '1:2:ARGS:a',
    wafScore: 2,
  } as RequestRow)
  expect(steps[2]).toMatchObject({ outcome: 'passed', waf: { score: 2, text: '1:2:ARGS:a' } })
})
