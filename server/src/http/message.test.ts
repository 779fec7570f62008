/** Error messages in the caller's language, with their placeholders filled. */
import { expect, test } from 'vitest'
import { errorBody, Fault, Faults } from './fault.ts'
import { askedLanguage } from './message.ts'

test('the supported language with the highest weight is used; English by default', () => {
  expect(askedLanguage('zh-TW,zh;q=0.9,en;q=0.8')).toBe('zh_TW')
  expect(askedLanguage('zh-Hant-HK')).toBe('zh_TW')
  expect(askedLanguage('zh')).toBe('zh_CN')
  expect(askedLanguage('fr, zh-CN;q=0.2, en;q=0.8')).toBe('en_US')
  expect(askedLanguage('fr')).toBe('en_US')
  expect(askedLanguage('zh-TW;q=0, zh-CN;q=0.1')).toBe('zh_CN')
  expect(askedLanguage(undefined)).toBe('en_US')
})

test('an error has the catalogue’s text in that language, and a number if it has a placeholder for one', () => {
  expect(errorBody(new Fault('invalidToken'), '1', 'zh_TW').message).toBe('權杖無效')
  expect(errorBody(new Fault('invalidToken'), '1').message).toBe('Invalid Token')
  const limit = new Fault('dailyExportsExceedLimit', 7)
  expect(errorBody(limit, '1', 'zh_CN').message).toBe('今日下载次数已达上限（7 次）')
  expect(errorBody(limit, '1').message).toBe('daily download limit reached (7 records)')
  const changed = new Fault('parameterError', undefined, { message: 'The rule was changed meanwhile' })
  expect(errorBody(changed, '1', 'zh_TW').message).toBe('規則已被他人變更，請重新載入後再試')
  const many = new Faults([{ reason: 'duplicatedData', targets: ['a.example.com'] }])
  expect(errorBody(many, '1', 'zh_TW').errors?.[0]?.message).toBe('資料已存在')
})
