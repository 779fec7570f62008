/** Which rules of a new rule set only observe at first. */
import { expect, test } from 'vitest'
import { rulesToObserve, type Switch } from './more-often.ts'

const idsOf = (given: Partial<Switch>): number[] =>
  rulesToObserve({
    ...{
      known: new Set([1, 2, 3]),
      benign: { before: {}, now: {} },
      live: { requests: 0, rules: [] },
      answers: [],
      unreleased: [],
    },
    ...given,
  }).map(({ ruleID }) => ruleID)
const live = (ruleID: number, before: number, now: number, people = 0) => ({
  requests: 1000,
  rules: [{ ruleID, before, now, people }],
})

test('a rule that matches more than three times as often is observed, and one at exactly three times is not', () => {
  expect(idsOf({ benign: { before: { 1: 10, 2: 10 }, now: { 1: 30, 2: 31, 3: 1 } } })).toEqual([2, 3])
  expect(idsOf({ live: live(1, 10, 30) })).toEqual([])
  expect(idsOf({ live: live(1, 10, 31) })).toEqual([1])
  expect(idsOf({ live: live(1, 10, 0) })).toEqual([])
})

test('a new rule is observed if it matches ordinary requests or people, but not if it only matches attackers', () => {
  expect(idsOf({ benign: { before: {}, now: { 9: 1 } } })).toEqual([9])
  expect(idsOf({ live: live(9, 0, 500) })).toEqual([])
  expect(idsOf({ live: live(9, 0, 500, 1) })).toEqual([9])
})

test('an unreleased rule stays observed, listed once, with its newest counts', () => {
  const old = { ruleID: 1, isNew: true, benign: { before: 0, now: 5 }, live: { before: 0, now: 0, people: 0 } }
  const unreleased = [{ ...old, ruleID: 2 }, old]
  const benign = { before: { 1: 1 }, now: { 1: 7 } }
  expect(
    rulesToObserve({ known: new Set([1]), benign, live: { requests: 0, rules: [] }, answers: [], unreleased }),
  ).toEqual([
    { ...old, isNew: false, benign: { before: 1, now: 7 } },
    { ...old, ruleID: 2 },
  ])
})
