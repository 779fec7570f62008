/** Error messages in the caller's language (rulings, 14): the catalogue's text with its placeholders filled. */
import { words as zhCN } from '@breakwater/contract/error-words/zh_CN.ts'
import { words as zhTW } from '@breakwater/contract/error-words/zh_TW.ts'
import { type ErrorName, errors } from '@breakwater/contract/errors.ts'

export const languages = ['en_US', 'zh_TW', 'zh_CN'] as const
export type Language = (typeof languages)[number]

const catalogues: Record<Exclude<Language, 'en_US'>, Record<ErrorName, string>> = { zh_TW: zhTW, zh_CN: zhCN }

/** Messages used in place of the catalogue's. */
const others: Record<string, Record<Exclude<Language, 'en_US'>, string>> = {
  'Not Found': { zh_TW: '找不到，請確認網址與編號', zh_CN: '找不到，请确认网址与编号' },
  'too many requests': { zh_TW: '請求過於頻繁，請稍後再試', zh_CN: '请求过于频繁，请稍后再试' },
  'too many downloads': { zh_TW: '同時下載數過多，請等其他下載完成', zh_CN: '同时下载数过多，请等待其他下载完成' },
  'too many uploads': { zh_TW: '上傳過於頻繁，請稍後再試', zh_CN: '上传过于频繁，请稍后再试' },
  'too many preheats': { zh_TW: '預熱過於頻繁，請稍後再試', zh_CN: '预热过于频繁，请稍后再试' },
  'too many purges': { zh_TW: '清除快取過於頻繁，請稍後再試', zh_CN: '清除缓存过于频繁，请稍后再试' },
  'Too many rows: choose a shorter range or another filter': {
    zh_TW: '資料過多，請縮短時間範圍或增加篩選條件',
    zh_CN: '数据过多，请缩短时间范围或增加筛选条件',
  },
  'This idempotency key was used for another call': {
    zh_TW: '此冪等鍵已用於另一個呼叫，請換用新的',
    zh_CN: '此幂等键已用于另一个调用，请换用新的',
  },
  'A call with this idempotency key is running': {
    zh_TW: '使用此冪等鍵的呼叫仍在執行，請稍後查詢結果',
    zh_CN: '使用此幂等键的调用仍在执行，请稍后查询结果',
  },
  'The rule was changed meanwhile': {
    zh_TW: '規則已被他人變更，請重新載入後再試',
    zh_CN: '规则已被他人更改，请重新加载后重试',
  },
  'The settings were changed meanwhile': {
    zh_TW: '設定已被他人變更，請重新載入後再試',
    zh_CN: '设置已被他人更改，请重新加载后重试',
  },
  'The module was changed meanwhile': {
    zh_TW: '模組已被他人變更，請重新載入後再試',
    zh_CN: '模块已被他人更改，请重新加载后重试',
  },
}

const traditional = /^zh-(tw|hk|mo|hant)\b/i

function languageOf(tag: string): Language | undefined {
  if (traditional.test(tag)) return 'zh_TW'
  if (/^zh\b/i.test(tag)) return 'zh_CN'
  return /^en\b/i.test(tag) ? 'en_US' : undefined
}

/** The supported language with the highest weight in the header; English if there is none. */
export function askedLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 256)
    .split(',')
    .flatMap((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const weight = Number(/q=([\d.]+)/.exec(parameters.join(';'))?.[1] ?? 1)
      const language = languageOf(tag)
      return language && weight > 0 ? [{ language, weight }] : []
    })
  return wanted.sort((one, other) => other.weight - one.weight)[0]?.language ?? 'en_US'
}

/** The message of an error; `own` replaces the catalogue's text. */
export function messageIn(language: Language, reason: ErrorName, extra: unknown, own?: string): string {
  const isOther = own !== undefined && own !== errors[reason].message
  const text =
    language === 'en_US'
      ? (own ?? errors[reason].message)
      : isOther
        ? (others[own]?.[language] ?? own)
        : catalogues[language][reason]
  return typeof extra === 'number' ? text.replace('{num}', String(extra)) : text
}
