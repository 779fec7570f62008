/** The texts of letters and messages, in three languages. `{name}` is replaced by a value. */
import type { mailLocales } from '@breakwater/contract/account/accounts.ts'
import type { NotifyEvent } from '@breakwater/contract/messages/notify.ts'

export type Locale = (typeof mailLocales)[number]
export type Template = 'invitation' | 'password' | 'signInCode' | 'test' | NotifyEvent

type Words = { subject: string; text: string; action?: string }

export const words: Record<Locale, Record<Template, Words>> = {
  en_US: {
    invitation: {
      subject: 'Your account at {brand}',
      text: 'Hello {name},\n\nan account has been created for you at {brand}. Your account name is {account}. Choose a password to sign in. The link works once and expires in 24 hours.',
      action: 'Choose a password',
    },
    password: {
      subject: 'Reset your password for {brand}',
      text: 'Hello {name},\n\na password reset was requested for your account {account} at {brand}. If this was not you, ignore this e-mail: your password stays as it is. The link works once and expires in 24 hours.',
      action: 'Choose a new password',
    },
    signInCode: {
      subject: 'Your sign-in code: {secret}',
      text: 'Hello {name},\n\nyour sign-in code for {brand} is {secret}. It expires in a few minutes. We will never ask you for it.',
    },
    test: { subject: 'Test message from {brand}', text: 'You received this message, so the settings work.' },
    signInNewAddress: {
      subject: 'New sign-in to your {brand} account',
      text: 'Your account {account} at {brand} was used to sign in from {address} for the first time. If this was not you, change your password and end that session in your profile.',
    },
    accountLocked: {
      subject: 'Your {brand} account is locked for 15 minutes',
      text: 'A wrong password or code was entered several times for your account {account} at {brand}, most recently from {address}. The account is locked for 15 minutes and then unlocks by itself. If this was not you, change your password afterwards.',
    },
    apiTokenCreated: {
      subject: 'New API token for your {brand} account',
      text: 'The API token “{token}” was created for your account {account} at {brand} from {address}. If this was not you, revoke the token and change your password.',
    },
    siteNotApplied: {
      subject: '{site}: latest settings not live on {node}',
      text: 'The node {node} could not load the latest settings of the site {site}: {reason}. It keeps serving with the previous ones.',
    },
    originDown: {
      subject: 'An origin of {domain} is down',
      text: 'The node {node} gets no valid response from the origin {origin} of {domain}. It uses the other origins, if there are any.',
    },
    originBack: {
      subject: 'An origin of {domain} is back',
      text: 'The node {node} uses the origin {origin} of {domain} again.',
    },
    attackBegun: {
      subject: '{site} is under attack',
      text: 'The site {site} gets {rate} abnormal requests a second; the threshold is {limit}. Until the attack is over, every visitor who is not on the allow list must pass a challenge.',
      action: 'See the report',
    },
    attackOver: {
      subject: 'The attack on {site} is over',
      text: 'The attack on the site {site} ended after about {minutes} minutes. Visitors are no longer challenged.',
      action: 'See the report',
    },
    certificateEnding: {
      subject: 'Certificate expiring soon: {domain}',
      text: 'In use and expiring soon:\n\n{list}\n\nUpload a new certificate before then. Automatic certificates are listed only if their renewal fails; the domain’s HTTPS settings say why.',
    },
    siteExpiring: {
      subject: 'Site expiring soon: {site}',
      text: 'Expiring soon:\n\n{list}\n\n{days} days after expiry, visitors get a 403 page. The operator can change the expiry.',
    },
    nodeAway: {
      subject: 'Node {node} is not responding',
      text: 'The node {node} has not reported for {minutes} minutes. It may still be serving visitors. Check its network and its agent.',
    },
    nodeBack: {
      subject: 'Node {node} is back',
      text: 'The node {node} is reporting again after {minutes} minutes.',
    },
  },
  zh_TW: {
    invitation: {
      subject: '您在 {brand} 的帳號',
      text: '{name} 您好：\n\n已在 {brand} 為您建立帳號 {account}。請先設定密碼。連結只能使用一次，24 小時內有效。',
      action: '設定密碼',
    },
    password: {
      subject: '重設 {brand} 的密碼',
      text: '{name} 您好：\n\n我們收到重設您 {brand} 帳號 {account} 密碼的要求。如果不是您本人操作，請忽略此信，密碼不會變更。連結只能使用一次，24 小時內有效。',
      action: '設定新密碼',
    },
    signInCode: {
      subject: '您的登入驗證碼：{secret}',
      text: '{name} 您好：\n\n您的 {brand} 登入驗證碼是 {secret}，數分鐘內有效。我們絕不會向您索取驗證碼，請勿提供給任何人。',
    },
    test: { subject: '{brand} 測試訊息', text: '您已收到這則訊息，表示設定正確。' },
    signInNewAddress: {
      subject: '{brand} 帳號有新的登入',
      text: '您的 {brand} 帳號 {account} 首次從 {address} 登入。如果不是您本人，請立即變更密碼，並在個人資料中登出該裝置。',
    },
    accountLocked: {
      subject: '您的 {brand} 帳號已鎖定 15 分鐘',
      text: '您的 {brand} 帳號 {account} 多次輸入錯誤的密碼或驗證碼，最近一次來自 {address}。帳號已鎖定 15 分鐘，之後會自動解除。如果不是您本人，請在解除後變更密碼。',
    },
    apiTokenCreated: {
      subject: '{brand} 帳號新增了 API 權杖',
      text: '您的 {brand} 帳號 {account} 已從 {address} 建立 API 權杖「{token}」。如果不是您本人，請撤銷該權杖並變更密碼。',
    },
    siteNotApplied: {
      subject: '{site}：最新設定未在 {node} 生效',
      text: '節點 {node} 無法載入站點 {site} 的最新設定：{reason}。該節點會沿用先前的設定繼續服務。',
    },
    originDown: {
      subject: '{domain} 的來源站故障',
      text: '節點 {node} 無法從 {domain} 的來源站 {origin} 取得正常回應，會改用其他來源站（如有）。',
    },
    originBack: { subject: '{domain} 的來源站已恢復', text: '節點 {node} 已恢復使用 {domain} 的來源站 {origin}。' },
    attackBegun: {
      subject: '站點 {site} 遭到攻擊',
      text: '站點 {site} 每秒有 {rate} 個異常請求，已超過上限 {limit}。攻擊結束前，除允許名單外的訪客都必須先通過驗證。',
      action: '查看攻擊報告',
    },
    attackOver: {
      subject: '站點 {site} 的攻擊已結束',
      text: '站點 {site} 遭到的攻擊持續約 {minutes} 分鐘，現已結束。訪客不再需要驗證。',
      action: '查看攻擊報告',
    },
    certificateEnding: {
      subject: '憑證即將到期：{domain}',
      text: '以下使用中的憑證即將到期：\n\n{list}\n\n請在到期前上傳新的憑證。自動憑證只有在更新失敗時才會列出，原因請見網域的 HTTPS 設定。',
    },
    siteExpiring: {
      subject: '站點即將到期：{site}',
      text: '以下站點即將到期：\n\n{list}\n\n到期 {days} 天後，訪客會收到 403 頁面。如需延長，請聯絡營運者變更到期時間。',
    },
    nodeAway: {
      subject: '節點 {node} 離線',
      text: '節點 {node} 已 {minutes} 分鐘沒有回報，但可能仍在服務訪客。請檢查該節點的網路與 agent。',
    },
    nodeBack: { subject: '節點 {node} 恢復連線', text: '節點 {node} 中斷 {minutes} 分鐘後已恢復回報。' },
  },
  zh_CN: {
    invitation: {
      subject: '您在 {brand} 的账号',
      text: '{name}，您好：\n\n已在 {brand} 为您创建账号 {account}。请先设置密码。链接只能使用一次，24 小时内有效。',
      action: '设置密码',
    },
    password: {
      subject: '重置 {brand} 的密码',
      text: '{name}，您好：\n\n我们收到重置您 {brand} 账号 {account} 密码的请求。如非本人操作，请忽略此邮件，密码不会改变。链接只能使用一次，24 小时内有效。',
      action: '设置新密码',
    },
    signInCode: {
      subject: '您的登录验证码：{secret}',
      text: '{name}，您好：\n\n您的 {brand} 登录验证码是 {secret}，几分钟内有效。我们绝不会向您索要验证码，请勿告诉任何人。',
    },
    test: { subject: '{brand} 测试消息', text: '您已收到这条消息，说明设置正确。' },
    signInNewAddress: {
      subject: '{brand} 账号有新的登录',
      text: '您的 {brand} 账号 {account} 首次从 {address} 登录。如非本人操作，请立即修改密码，并在个人资料中退出该设备。',
    },
    accountLocked: {
      subject: '您的 {brand} 账号已锁定 15 分钟',
      text: '您的 {brand} 账号 {account} 多次输入错误的密码或验证码，最近一次来自 {address}。账号已锁定 15 分钟，之后自动解锁。如非本人操作，请在解锁后修改密码。',
    },
    apiTokenCreated: {
      subject: '{brand} 账号新增了 API 令牌',
      text: '您的 {brand} 账号 {account} 已从 {address} 创建 API 令牌“{token}”。如非本人操作，请吊销该令牌并修改密码。',
    },
    siteNotApplied: {
      subject: '{site}：最新设置未在 {node} 生效',
      text: '节点 {node} 无法加载站点 {site} 的最新设置：{reason}。该节点会沿用之前的设置继续服务。',
    },
    originDown: {
      subject: '{domain} 的源站故障',
      text: '节点 {node} 无法从 {domain} 的源站 {origin} 获得正常响应，会改用其他源站（如有）。',
    },
    originBack: { subject: '{domain} 的源站已恢复', text: '节点 {node} 已恢复使用 {domain} 的源站 {origin}。' },
    attackBegun: {
      subject: '站点 {site} 遭到攻击',
      text: '站点 {site} 每秒有 {rate} 个异常请求，已超过上限 {limit}。攻击结束前，除允许名单外的访客都必须先通过验证。',
      action: '查看攻击报告',
    },
    attackOver: {
      subject: '站点 {site} 的攻击已结束',
      text: '站点 {site} 遭到的攻击持续约 {minutes} 分钟，现已结束。访客不再需要验证。',
      action: '查看攻击报告',
    },
    certificateEnding: {
      subject: '证书即将到期：{domain}',
      text: '以下使用中的证书即将到期：\n\n{list}\n\n请在到期前上传新证书。自动证书仅在更新失败时列出，原因请查看域名的 HTTPS 设置。',
    },
    siteExpiring: {
      subject: '站点即将到期：{site}',
      text: '以下站点即将到期：\n\n{list}\n\n到期 {days} 天后，访客会收到 403 页面。如需延长，请联系运营者更改到期时间。',
    },
    nodeAway: {
      subject: '节点 {node} 离线',
      text: '节点 {node} 已 {minutes} 分钟没有上报，但可能仍在为访客提供服务。请检查该节点的网络与 agent。',
    },
    nodeBack: { subject: '节点 {node} 恢复在线', text: '节点 {node} 中断 {minutes} 分钟后已恢复上报。' },
  },
}
