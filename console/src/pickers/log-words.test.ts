import { causes } from '@breakwater/contract/edge/causes.ts'
import { guardIds } from '@breakwater/contract/edge/guards.ts'
import { expect, test } from 'vitest'
import type { Say } from '../app/phrases.ts'
import { phrases } from '../phrases/logs/en_US.ts'
import { logWord } from './log-words.ts'

const texts: Record<string, string> = phrases
const t = ((key: string) => texts[key] ?? key) as unknown as Say<'logs'>

test('what the edge writes as a code has words, and what has none is itself', () => {
  const written = [
    ...guardIds.filter((guard) => guard !== '').map((guard) => ['guard', guard]),
    ...Object.values(causes)
      .filter((cause) => cause > 0)
      .map((cause) => ['cause', String(cause)]),
    ...['cached', 'direct', 'refused'].map((route) => ['route', route]),
  ] as [string, string][]
  expect(written.filter(([field, value]) => logWord(field, value, t) === value)).toEqual([])
  expect(logWord('cache', 'HIT', t)).toBe('Hit')
  expect([logWord('guard', 'waf', t), logWord('ip', 'cached', t)]).toEqual(['waf', 'cached'])
})
