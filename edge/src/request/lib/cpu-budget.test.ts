import { expect, test } from 'vitest'
import { afterSpending, budgetLeft, type CpuBudget, longText, ofExpression, ruleLimits } from './cpu-budget.ts'

test('what is taken beyond the budget is owed and paid back by time', () => {
  const budget = afterSpending(ruleLimits, undefined, 100, 0.03)
  expect(budgetLeft(ruleLimits, budget, 100)).toBeCloseTo(-0.01)
  expect(budgetLeft(ruleLimits, budget, 120)).toBeCloseTo(0.01)
  expect(budgetLeft(ruleLimits, budget, 1000)).toBe(budgetLeft(ruleLimits, undefined, 1000))
})

test('whatever a flood takes, half a budget is there twenty seconds after it', () => {
  let budget: CpuBudget | undefined
  for (let i = 0; i < 60_000; i++) budget = afterSpending(ruleLimits, budget, i / 1000, 0.001)
  expect(budgetLeft(ruleLimits, budget, 60)).toBeLessThan(0)
  expect(budgetLeft(ruleLimits, budget, 80)).toBeGreaterThanOrEqual(0.01)
})

test('of a pause in which the host had the processor no more counts than an expression takes', () => {
  expect(ofExpression(0.000_02, 60)).toBe(0.000_02)
  expect(ofExpression(0.005, 60)).toBeLessThan(0.001)
  expect(ofExpression(0.005, longText)).toBeLessThan(0.001)
})

test('a slow expression on a long text counts whole', () => {
  expect(ofExpression(0.0015, 2 * longText)).toBeCloseTo(0.0015)
  expect(ofExpression(0.006, 8 * longText)).toBeCloseTo(0.006)
})

test('several slow expressions of one request are charged, although one may not be', () => {
  expect(2 * ofExpression(0.0016, 60)).toBeGreaterThan(0.001)
})
