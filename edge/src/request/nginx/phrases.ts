/** What the edge's own pages say, in the languages of the console. */
import type { Language } from '../lib/accept.ts'

export type Phrases = {
  blocked: string
  blockedWhy: string
  limited: string
  limitedWhy: string
  failed: string
  failedWhy: string
  unreachable: string
  unreachableWhy: string
  misdirected: string
  tooLarge: string
  badRequest: string
  reference: string
  checking: string
  checkingWhy: string
  needsScript: string
  click: string
  code: string
  slide: string
  go: string
}

export const phrases: Record<Language, Phrases> = {
  en: {
    blocked: 'This request was refused',
    blockedWhy:
      'The site’s protection did not let it through. If you think this is a mistake, send the site’s owner the reference below.',
    limited: 'Too many requests',
    limitedWhy: 'Please wait a moment and try again.',
    failed: 'Something went wrong here',
    failedWhy: 'The request could not be checked, so it was not passed on. Please try again later.',
    unreachable: 'The site does not answer',
    unreachableWhy: 'Its server could not be reached. Please try again in a moment.',
    misdirected: 'This host is not served on this connection',
    tooLarge: 'The request is too large',
    badRequest: 'The request is malformed',
    reference: 'Reference',
    checking: 'Checking your browser',
    checkingWhy: 'This takes about five seconds and happens once.',
    needsScript: 'Please allow JavaScript for this site and load the page again.',
    click: 'Click to go on',
    code: 'Type the digits you see',
    slide: 'Move the slider until the dot is in the gap',
    go: 'Go on',
  },
  'zh-CN': {
    blocked: '此请求已被拒绝',
    blockedWhy: '网站的防护未放行该请求。如认为有误，请将下方的参考编号告知网站所有者。',
    limited: '请求过于频繁',
    limitedWhy: '请稍候再试。',
    failed: '此处发生错误',
    failedWhy: '请求无法完成检查，因此未被转发。请稍后再试。',
    unreachable: '网站没有响应',
    unreachableWhy: '暂时无法连接其服务器，请稍后再试。',
    misdirected: '此连接不提供该主机',
    tooLarge: '请求过大',
    badRequest: '请求格式错误',
    reference: '参考编号',
    checking: '正在检查您的浏览器',
    checkingWhy: '大约需要五秒，只需一次。',
    needsScript: '请允许此网站使用 JavaScript，然后重新加载页面。',
    click: '点击继续',
    code: '请输入图中的数字',
    slide: '拖动滑块，使圆点落入缺口',
    go: '继续',
  },
  'zh-TW': {
    blocked: '此請求已被拒絕',
    blockedWhy: '網站的防護未放行該請求。如認為有誤，請將下方的參考編號告知網站擁有者。',
    limited: '請求過於頻繁',
    limitedWhy: '請稍候再試。',
    failed: '此處發生錯誤',
    failedWhy: '請求無法完成檢查，因此未被轉送。請稍後再試。',
    unreachable: '網站沒有回應',
    unreachableWhy: '暫時無法連線至其伺服器，請稍後再試。',
    misdirected: '此連線不提供該主機',
    tooLarge: '請求過大',
    badRequest: '請求格式錯誤',
    reference: '參考編號',
    checking: '正在檢查您的瀏覽器',
    checkingWhy: '大約需要五秒，只需一次。',
    needsScript: '請允許此網站使用 JavaScript，然後重新載入頁面。',
    click: '點擊以繼續',
    code: '請輸入圖中的數字',
    slide: '拖動滑桿，使圓點落入缺口',
    go: '繼續',
  },
}
