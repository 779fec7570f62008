import { expect, test } from 'vitest'
import { exceptionFor, readWaf, scoreWithout, targetOf } from './waf-exceptions.ts'

const told = '942100:5:ARGS:user.id 920420:5:REQUEST_HEADERS:Content-Type 911100:5:REQUEST_METHOD: 941100:10:ARGS:a'

test('a row’s matches become exceptions for their rule, value, path and method only', () => {
  const { matches, budget } = readWaf(`${told} budget:body`)
  expect(budget).toBe('body')
  expect(matches.map(targetOf)).toEqual(['arg:user.id', 'header:Content-Type', '', ''])
  expect(exceptionFor(matches[0]!, { path: '/a.b/[1]', method: 'POST' })).toEqual({
    ...{ ruleID: 942100, target: 'arg:user.id', action: 'off', urlRegex: '^/a\\.b/\\[1\\]$', methodValues: ['POST'] },
  })
  expect(exceptionFor(matches[0]!, { path: '/', method: 'PURGE' }).methodValues).toHaveLength(7)
  expect(targetOf({ text: '', ruleID: 1, score: 5, isNew: false, where: `ARGS:${'x'.repeat(59)}` })).toBe('')
})

test('without some of its matches, a request keeps the score of the others and of what the row does not list', () => {
  const { matches } = readWaf(told)
  expect(scoreWithout({ waf: told, wafScore: 25 }, [])).toBe(25)
  expect(scoreWithout({ waf: told, wafScore: 25 }, [matches[3]!.text])).toBe(15)
  expect(
    scoreWithout(
      { waf: told, wafScore: 40 },
      matches.map(({ text }) => text),
    ),
  ).toBe(15)
  expect(scoreWithout({ waf: '', wafScore: 0 }, [])).toBe(0)
})
