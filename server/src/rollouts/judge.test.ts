/** Which vitals of a node cause a rollback, and which do not. */
import { latencySteps, type Vitals } from '@breakwater/contract/edge/node-api.ts'
import { expect, test } from 'vitest'
import { judge } from './judge.ts'

const still = latencySteps.map(() => 0).concat(0)
const quick = (count: number) => still.map((_, step) => (step === 2 ? count : 0))
const slow = (count: number, base: number) => still.map((_, step) => (step === 2 ? base : step === 7 ? count : 0))
const none: Vitals = { requests: 0, failures: 0, errors: 0, crashes: 0, latency: still }
const calm: Vitals = { requests: 10_000, failures: 100, errors: 0, crashes: 2, latency: quick(10_000) }
const later = (change: Partial<Vitals>): Vitals => ({ ...calm, requests: 11_000, latency: quick(11_000), ...change })

test.each([
  ['as before', later({ failures: 112 }), undefined],
  ['a few errors among many requests', later({ errors: 4 }), undefined],
  ['twice the failures and more', later({ failures: 160 }), '6.0 % of answers are 5xx, 1.0 % before'],
  ['phases that fail', later({ errors: 50 }), '50 requests failed inside the node, 0.0 % before'],
  ['a crash', later({ crashes: 3 }), '1 worker processes crashed'],
  ['a new nginx', { ...none, requests: 5 }, 'nginx was started anew'],
  ['slow answers', later({ latency: slow(1000, 10_000) }), 'p99 is up to 200 ms, up to 5 ms before'],
  ['slow answers, but few', { ...later({ latency: slow(50, 10_000) }), requests: 10_050 }, undefined],
  ['no word', undefined, undefined],
])('%s', (_what, now, reason) => {
  expect(judge(none, calm, now)).toBe(reason)
})
