import { expect, test } from 'vitest'
import { makeFormat } from '../../app/format.ts'
import { fill, type Say } from '../../app/phrases.ts'
import { plain } from '../../kit/Marked.tsx'
import { phrases as english } from '../../phrases/rules/en_US.ts'
import { phrases as taiwan } from '../../phrases/rules/zh_TW.ts'
import { changeWords, ruleWords } from './rule-words.ts'

const sayer = (texts: Record<string, string>, locale: 'en_US' | 'zh_TW') =>
  ((key: string, values?: Record<string, string | number>) =>
    fill(texts[key] ?? key, locale, values)) as unknown as Say<'rules'>
const en = [sayer(english, 'en_US'), makeFormat('en_US', 'UTC')] as const
const tw = [sayer(taiwan, 'zh_TW'), makeFormat('zh_TW', 'UTC')] as const

const meta = { enabled: true, mode: 'observe', memo: '', expiresAt: null }
const rate = { urlRegex: '^/login', rate: 50, burst: 20, blockType: 5, priority: 100, ...meta }

test('every kind of rule is a sentence', () => {
  const said = (...[kind, rule]: [Parameters<typeof ruleWords>[0], object]) => {
    const { when, does } = ruleWords(kind, { ...meta, ...rule }, ...en)
    return plain(`${when} -> ${does}`)
  }
  expect(said('rateRules', rate)).toBe(
    'the path matches ^/login and one address sends more than 50 requests a second (burst 20) -> slider captcha',
  )
  expect(
    said('denyRules', { ips: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], urlRegex: '', methodValues: ['POST'] }),
  ).toBe('the address is 192.0.2.1, 192.0.2.2 or others, 3 in all and the method is POST -> block')
  expect(said('allowRules', { ips: ['192.0.2.1'], urlRegex: '^/a' })).toBe(
    'the address is 192.0.2.1 and the path matches ^/a -> allow',
  )
  expect(said('bodyRules', { urlRegex: '^/up', methodValues: ['PUT'], contains: '<?php' })).toBe(
    'the path matches ^/up and the method is PUT and the body contains <?php -> block',
  )
  expect(said('cacheRules', { type: 'image', values: [], ttl: 86_400, ignoreQuery: true })).toBe(
    'it is an image -> keep for 1d, whatever the query',
  )
  expect(said('cacheRules', { type: 'path', values: ['/a/'], ttl: 0 })).toBe('the path begins with /a/ -> do not store')
})

test('a change says which fields went from what to what, of a saved rule, too', () => {
  const { enabled, mode, memo, expiresAt, ...body } = rate
  const saved = { id: 7, sort: 100, createdAt: 'then', enabled, mode, memo, expiresAt, body }
  const after = { ...saved, mode: 'enforce', body: { ...body, rate: 100 } }
  expect(plain(changeWords('rateRules', saved, after, ...en))).toBe(
    'Rate rule “^/login”: requests a second 50 → 100, mode Observe → Enforce',
  )
  expect(plain(changeWords('rateRules', saved, after, ...tw))).toBe(
    '變更速率規則「^/login」：每秒請求數由 50 改為 100，模式由 觀察 改為 執行',
  )
  expect(plain(changeWords('rateRules', null, saved, ...en))).toMatch(
    /^Rate rule added: When the path matches \^\/login/,
  )
  expect(plain(changeWords('rateRules', saved, null, ...en))).toMatch(/^Rate rule removed: When/)
})

test('long lists say how many came and went', () => {
  const ips = (...last: number[]) => ({ ...meta, ips: last.map((n) => `192.0.2.${n}`) })
  expect(plain(changeWords('denyRules', ips(1, 2, 3), ips(2, 3, 4, 5), ...en))).toBe(
    'Deny rule “192.0.2.1”: addresses 2 added, 1 removed',
  )
})

test('every field that a rule can have is named in words', async () => {
  const { ruleLists } = await import('@breakwater/contract/index.ts')
  const fields = new Set(Object.values(ruleLists).flatMap(({ item }) => Object.keys(item.shape)))
  expect([...fields].filter((field) => !(`field.${field}` in english))).toEqual([])
})
