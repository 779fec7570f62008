import { expect, test } from 'vitest'
import { afterSpending, budgetLeft, type CpuBudget, longText, ofExpression, ruleLimits } from './cpu-budget.ts'

test('time beyond the budget is owed, and repaid as time passes', () => {
  const budget = afterSpending(ruleLimits, undefined, 100, 0.03)
  expect(budgetLeft(ruleLimits, budget, 100)).toBeCloseTo(-0.01)
  expect(budgetLeft(ruleLimits, budget, 120)).toBeCloseTo(0.01)
  expect(budgetLeft(ruleLimits, budget, 1000)).toBe(budgetLeft(ruleLimits, undefined, 1000))
})

test('whatever a flood uses, half a budget is available twenty seconds later', () => {
  let budget: CpuBudget | undefined
  for (let i = 0; i < 60_000; i++) budget = afterSpending(ruleLimits, budget, i / 1000, 0.001)
  expect(budgetLeft(ruleLimits, budget, 60)).toBeLessThan(0)
  expect(budgetLeft(ruleLimits, budget, 80)).toBeGreaterThanOrEqual(0.01)
})

test('when the host takes the CPU away, no more is charged than an expression can take', () => {
  expect(ofExpression(0.000_02, 60)).toBe(0.000_02)
  expect(ofExpression(0.005, 60)).toBeLessThan(0.001)
  expect(ofExpression(0.005, longText)).toBeLessThan(0.001)
})

test('a slow expression on a long text is charged in full', () => {
  expect(ofExpression(0.0015, 2 * longText)).toBeCloseTo(0.0015)
  expect(ofExpression(0.006, 8 * longText)).toBeCloseTo(0.006)
})

test('several slow expressions of one request are charged, even if a single one is not', () => {
  expect(2 * ofExpression(0.0016, 60)).toBeGreaterThan(0.001)
})
