import { expect, test } from 'vitest'
import { matchLocale } from './locale.ts'

test.each([
  [['en-GB', 'zh-TW'], 'en_US'],
  [['zh-HK'], 'zh_TW'],
  [['zh-Hant-MO'], 'zh_TW'],
  [['zh-CN'], 'zh_CN'],
  [['zh'], 'zh_CN'],
  [['fr-FR', 'en'], 'en_US'],
  [['fr-FR'], 'zh_TW'],
  [[], 'zh_TW'],
])('a browser with languages %j gets %s', (languages, locale) => {
  expect(matchLocale(languages)).toBe(locale)
})
