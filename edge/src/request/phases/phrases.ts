/** The texts of the edge's own pages, in the languages of the console. */
import type { Language } from '../lib/accept.ts'

export type Phrases = {
  blocked: string
  blockedWhy: string
  closed: string
  closedWhy: string
  limited: string
  limitedWhy: string
  failed: string
  failedWhy: string
  unreachable: string
  unreachableWhy: string
  originNone: string
  originDns: string
  originConnect: string
  originTls: string
  originTimeout: string
  originReset: string
  originInvalid: string
  misdirected: string
  tooLarge: string
  unmeasured: string
  badRequest: string
  unidentified: string
  unidentifiedWhy: string
  reference: string
  checking: string
  checkingWhy: string
  needsScript: string
  click: string
  code: string
  slide: string
  across: string
  down: string
  unseen: string
  unseenWhy: string
  go: string
}

export const phrases: Record<Language, Phrases> = {
  en: {
    blocked: 'This request was refused',
    blockedWhy:
      'The site’s protection did not let it through. If you think this is a mistake, send the site’s owner the reference below.',
    closed: 'This site is switched off',
    closedWhy: 'Its owner can find out why from the provider of this service.',
    limited: 'Too many requests',
    limitedWhy: 'Please wait a moment and try again.',
    failed: 'Something went wrong here',
    failedWhy: 'The request could not be checked, so it was not passed on. Please try again later.',
    unreachable: 'The site does not answer',
    unreachableWhy: 'Its server could not be reached. Please try again in a moment.',
    originNone: 'It has no server that could be asked.',
    originDns: 'The address of its server could not be found.',
    originConnect: 'Its server accepts no connections. Please try again in a moment.',
    originTls: 'No trusted connection to its server could be made.',
    originTimeout: 'Its server did not answer in time. Please try again in a moment.',
    originReset: 'Its server closed the connection before it answered. Please try again in a moment.',
    originInvalid: 'The answer of its server could not be read.',
    misdirected: 'This host is not served on this connection',
    tooLarge: 'The request is too large',
    unmeasured: 'The request does not say how large it is',
    badRequest: 'The request is malformed',
    unidentified: 'Please show who you are',
    unidentifiedWhy: 'This part of the site is for those who have a password or key for it.',
    reference: 'Reference',
    checking: 'Checking your browser',
    checkingWhy: 'This takes about five seconds and happens once.',
    needsScript: 'Please allow JavaScript for this site and load the page again.',
    click: 'Click to go on',
    code: 'Type the digits you see',
    slide: 'Move both sliders until the dot is in the circle. Other shapes do not count.',
    across: 'Across',
    down: 'Down',
    unseen: 'I cannot see the picture',
    unseenWhy: 'Your browser is being checked instead. This takes about half a minute; please keep this page open.',
    go: 'Go on',
  },
  'zh-CN': {
    blocked: '此请求已被拒绝',
    blockedWhy: '网站的防护未放行该请求。如认为有误，请将下方的参考编号告知网站所有者。',
    closed: '此网站已停用',
    closedWhy: '网站所有者可向服务商了解原因。',
    limited: '请求过于频繁',
    limitedWhy: '请稍候再试。',
    failed: '此处发生错误',
    failedWhy: '请求无法完成检查，因此未被转发。请稍后再试。',
    unreachable: '网站没有响应',
    unreachableWhy: '暂时无法连接其服务器，请稍后再试。',
    originNone: '该网站没有可用的源站服务器。',
    originDns: '无法找到其服务器的地址。',
    originConnect: '其服务器未接受连接，请稍后再试。',
    originTls: '无法与其服务器建立可信的连接。',
    originTimeout: '其服务器未及时响应，请稍后再试。',
    originReset: '其服务器在响应前断开了连接，请稍后再试。',
    originInvalid: '无法读取其服务器的响应。',
    misdirected: '此连接不提供该主机',
    tooLarge: '请求过大',
    unmeasured: '请求未说明其大小',
    badRequest: '请求格式错误',
    unidentified: '请先验证身份',
    unidentifiedWhy: '站点的这一部分仅供持有密码或密钥的访客使用。',
    reference: '参考编号',
    checking: '正在检查您的浏览器',
    checkingWhy: '大约需要五秒，只需一次。',
    needsScript: '请允许此网站使用 JavaScript，然后重新加载页面。',
    click: '点击继续',
    code: '请输入图中的数字',
    slide: '拖动两个滑块，使圆点落入圆圈，其他形状不算。',
    across: '左右',
    down: '上下',
    unseen: '我看不到图片',
    unseenWhy: '正在改为检查您的浏览器，大约需要半分钟，请不要关闭此页面。',
    go: '继续',
  },
  'zh-TW': {
    blocked: '此請求已被拒絕',
    blockedWhy: '網站的防護未放行該請求。如認為有誤，請將下方的參考編號告知網站擁有者。',
    closed: '此網站已停用',
    closedWhy: '網站擁有者可向服務商了解原因。',
    limited: '請求過於頻繁',
    limitedWhy: '請稍候再試。',
    failed: '此處發生錯誤',
    failedWhy: '請求無法完成檢查，因此未被轉送。請稍後再試。',
    unreachable: '網站沒有回應',
    unreachableWhy: '暫時無法連線至其伺服器，請稍後再試。',
    originNone: '此網站沒有可用的來源伺服器。',
    originDns: '找不到其伺服器的位址。',
    originConnect: '其伺服器未接受連線，請稍後再試。',
    originTls: '無法與其伺服器建立可信任的連線。',
    originTimeout: '其伺服器未及時回應，請稍後再試。',
    originReset: '其伺服器在回應前中斷了連線，請稍後再試。',
    originInvalid: '無法讀取其伺服器的回應。',
    misdirected: '此連線不提供該主機',
    tooLarge: '請求過大',
    unmeasured: '請求未說明其大小',
    badRequest: '請求格式錯誤',
    unidentified: '請先驗證身分',
    unidentifiedWhy: '網站的這個部分僅供持有密碼或金鑰的訪客使用。',
    reference: '參考編號',
    checking: '正在檢查您的瀏覽器',
    checkingWhy: '大約需要五秒，只需一次。',
    needsScript: '請允許此網站使用 JavaScript，然後重新載入頁面。',
    click: '點擊以繼續',
    code: '請輸入圖中的數字',
    slide: '拖動兩個滑桿，使圓點落入圓圈，其他形狀不算。',
    across: '左右',
    down: '上下',
    unseen: '我看不到圖片',
    unseenWhy: '正在改為檢查您的瀏覽器，大約需要半分鐘，請不要關閉此頁面。',
    go: '繼續',
  },
}
