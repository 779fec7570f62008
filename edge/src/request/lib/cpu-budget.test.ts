import { expect, test } from 'vitest'
import { afterSpending, budgetLeft, type CpuBudget, ruleLimits } from './cpu-budget.ts'

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
