import { causes } from '@breakwater/contract/edge/causes.ts'
import { guardIds } from '@breakwater/contract/edge/guards.ts'
import { originFailures } from '@breakwater/contract/edge/origin-failures.ts'
import { guardName } from '@breakwater/contract/firewall/guard-name.ts'
import { expect, test } from 'vitest'
import { area as authentication } from '../authentication/area.ts'
import { area } from '../firewall/area.ts'
import { phrases } from '../logs/words/en_US.ts'
import { type Locale, locales } from '../platform/locale.ts'
import type { Say } from '../platform/phrases.ts'
import { logWord } from './log-words.ts'
import { ruleWordsOf } from './rules/kind-words.ts'

const texts: Record<string, string> = { ...ruleWordsOf('logs/en_US', [area], phrases), ...phrases }
const t = ((key: string) => texts[key] ?? key) as unknown as Say<'logs'>

test('every code that the edge writes has a text, and unknown codes are shown as they are', () => {
  const written = [
    ...Object.keys(guardIds).map((guard) => ['guard', guard]),
    ...Object.values(causes)
      .filter((cause) => cause > 0)
      .map((cause) => ['cause', String(cause)]),
    ...['cached', 'direct', 'refused'].map((route) => ['route', route]),
    ...originFailures.map((failure) => ['originFailure', failure]),
  ] as [string, string][]
  expect(written.filter(([field, value]) => logWord(field, value, t) === value)).toEqual([])
  expect(logWord('cache', 'HIT', t)).toBe('Hit')
  expect([logWord('guard', 'other', t), logWord('ip', 'cached', t)]).toEqual(['other', 'cached'])
})

test.each(Object.keys(locales) as Locale[])(
  'the server’s files name guards in the same way as the log in %s',
  async (locale) => {
    const { phrases } = await import(`../logs/words/${locale}.ts`)
    const called: Record<string, string> = {
      ...ruleWordsOf(`logs/${locale}`, [area, authentication], phrases),
      ...phrases,
    }
    for (const guard of Object.keys(guardIds)) expect(guardName(guard, locale)).toBe(called[`guard.${guard}`])
  },
)
