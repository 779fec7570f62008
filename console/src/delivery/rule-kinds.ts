/** Delivery rules, as sentences. */
import type { RuleKind } from '../platform/rule-kinds.ts'

const begins = { zh_TW: '路徑開頭是 {value}', zh_CN: '路径以 {value} 开头', en_US: 'the path begins with {value}' }
const extension = { zh_TW: '副檔名是 {value}', zh_CN: '扩展名是 {value}', en_US: 'the extension is {value}' }
const types = {
  image: { zh_TW: '請求的是圖片', zh_CN: '请求的是图片', en_US: 'it is an image' },
  page: { zh_TW: '請求的是網頁或樣式', zh_CN: '请求的是网页或样式', en_US: 'it is a page or style' },
  audioVideo: { zh_TW: '請求的是影音', zh_CN: '请求的是音视频', en_US: 'it is audio or video' },
  file: { zh_TW: '請求的是安裝檔', zh_CN: '请求的是安装包', en_US: 'it is a package' },
}
const noStore = { zh_TW: '不快取', zh_CN: '不缓存', en_US: 'do not cache' }
const keep = { zh_TW: '快取 {time}', zh_CN: '缓存 {time}', en_US: 'cache for {time}' }
const keepAny = {
  zh_TW: '快取 {time}，忽略查詢字串',
  zh_CN: '缓存 {time}，忽略查询字符串',
  en_US: 'cache for {time}, ignoring the query string',
}

const matches = { zh_TW: '路徑符合 {value}', zh_CN: '路径匹配 {value}', en_US: 'the path matches {value}' }
const limited = { zh_TW: '每秒最多 {rate}', zh_CN: '每秒最多 {rate}', en_US: 'send at most {rate} per second' }
const limitedAfter = {
  zh_TW: '前 {after} 不限速，之後每秒最多 {rate}',
  zh_CN: '前 {after} 不限速，之后每秒最多 {rate}',
  en_US: 'send at most {rate} per second after the first {after}',
}

const isPath = { zh_TW: '路徑是 {value}', zh_CN: '路径是 {value}', en_US: 'the path is {value}' }
const inBrowsers = { zh_TW: '瀏覽器快取 {time}', zh_CN: '浏览器缓存 {time}', en_US: 'in browsers for {time}' }
const originFirst = {
  zh_TW: '來源站指定的時間優先',
  zh_CN: '源站指定的时间优先',
  en_US: 'unless the origin sets a time',
}
const inSlices = { zh_TW: '分段快取', zh_CN: '分片缓存', en_US: 'in slices' }
const notWith = {
  bypassCookies: {
    zh_TW: '帶有 Cookie {value} 時略過',
    zh_CN: '带有 Cookie {value} 时绕过',
    en_US: 'bypass with cookie {value}',
  },
  bypassHeaders: {
    zh_TW: '帶有標頭 {value} 時略過',
    zh_CN: '带有请求头 {value} 时绕过',
    en_US: 'bypass with header {value}',
  },
  bypassQuery: {
    zh_TW: '帶有參數 {value} 時略過',
    zh_CN: '带有参数 {value} 时绕过',
    en_US: 'bypass with parameter {value}',
  },
}

/** The names of the fields that cache rules gained later. */
const cacheFields = {
  browserTtl: { zh_TW: '瀏覽器快取秒數', zh_CN: '浏览器缓存秒数', en_US: 'browser TTL (s)' },
  origin: { zh_TW: '來源站指定快取時間時', zh_CN: '源站指定缓存时间时', en_US: 'if the origin sends a TTL' },
  query: { zh_TW: '查詢參數', zh_CN: '查询参数', en_US: 'query parameters in the key' },
  queryNames: { zh_TW: '參數', zh_CN: '参数', en_US: 'parameters' },
  keyHeaders: { zh_TW: '快取鍵中的標頭', zh_CN: '缓存键中的请求头', en_US: 'headers in the key' },
  keyCookies: { zh_TW: '快取鍵中的 Cookie', zh_CN: '缓存键中的 Cookie', en_US: 'cookies in the key' },
  keyDevice: { zh_TW: '依裝置分開快取', zh_CN: '按设备分开缓存', en_US: 'separate objects by device' },
  methods: { zh_TW: '方法', zh_CN: '方法', en_US: 'methods' },
  statuses: { zh_TW: '各狀態碼的快取時間', zh_CN: '各状态码的缓存时间', en_US: 'TTL by status' },
  staleWhileRevalidate: { zh_TW: '更新期間沿用秒數', zh_CN: '更新期间沿用秒数', en_US: 'stale while revalidating (s)' },
  staleIfError: { zh_TW: '故障時沿用秒數', zh_CN: '故障时沿用秒数', en_US: 'stale if the origin fails (s)' },
  slice: { zh_TW: '分段快取', zh_CN: '分片缓存', en_US: 'cached in slices' },
  bypassCookies: { zh_TW: '略過快取的 Cookie', zh_CN: '绕过缓存的 Cookie', en_US: 'cookies that bypass' },
  bypassHeaders: { zh_TW: '略過快取的標頭', zh_CN: '绕过缓存的请求头', en_US: 'headers that bypass' },
  bypassQuery: { zh_TW: '略過快取的參數', zh_CN: '绕过缓存的参数', en_US: 'parameters that bypass' },
}

export const ruleKinds: Readonly<Record<string, RuleKind>> = {
  bandwidthLimits: {
    name: { zh_TW: '限速規則', zh_CN: '限速规则', en_US: 'Bandwidth limit' },
    fields: {
      rate: { zh_TW: '每秒位元組', zh_CN: '每秒字节数', en_US: 'bytes per second' },
      afterSize: { zh_TW: '不限速的位元組', zh_CN: '不限速的字节数', en_US: 'bytes before the limit' },
    },
    when: ({ urlRegex }, { text, value }) => [text(matches, { value: value(String(urlRegex)) })],
    does({ rate, afterSize }, { text, format }) {
      const after = Number(afterSize)
      const values = { rate: format.bytes(Number(rate)), after: format.bytes(after) }
      return text(after === 0 ? limited : limitedAfter, values)
    },
  },
  cacheRules: {
    name: { zh_TW: '快取規則', zh_CN: '缓存规则', en_US: 'Cache rule' },
    fields: {
      type: { zh_TW: '適用範圍', zh_CN: '适用范围', en_US: 'applies to' },
      values: { zh_TW: '值', zh_CN: '值', en_US: 'values' },
      ttl: { zh_TW: '快取秒數', zh_CN: '缓存秒数', en_US: 'seconds cached' },
      ignoreQuery: { zh_TW: '忽略查詢字串', zh_CN: '忽略查询字符串', en_US: 'query string ignored' },
      forSignedIn: {
        zh_TW: '也適用於已登入的訪客',
        zh_CN: '也适用于已登录的访客',
        en_US: 'also for signed-in visitors',
      },
      ...cacheFields,
    },
    when({ type, values }, { text, list }) {
      if (type === 'path') return [text(begins, { value: list(values) })]
      if (type === 'exact') return [text(isPath, { value: list(values) })]
      if (type === 'regex') return [text(matches, { value: list(values) })]
      if (type === 'extension') return [text(extension, { value: list(values) })]
      return [text(types[type as keyof typeof types])]
    },
    does(rule, say) {
      const { text, format } = say
      const { ttl, ignoreQuery, browserTtl } = rule
      const time = format.duration(Number(ttl))
      const kept = ttl === 0 ? text(noStore) : text(ignoreQuery ? keepAny : keep, { time })
      const extras = typeof browserTtl === 'number' ? [text(inBrowsers, { time: format.duration(browserTtl) })] : []
      if (rule.slice === true) extras.push(text(inSlices))
      if (rule.origin === 'respect') extras.push(text(originFirst))
      for (const field of ['bypassCookies', 'bypassHeaders', 'bypassQuery'] as const) {
        const names = rule[field]
        if (Array.isArray(names) && names.length > 0) extras.push(text(notWith[field], { value: say.list(names) }))
      }
      return [kept, ...extras].join(say.t('joined'))
    },
  },
}
