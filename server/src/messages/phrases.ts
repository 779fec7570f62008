/** The words of letters and messages, in three languages. `{name}` takes a value. */
import type { mailLocales } from '@breakwater/contract/account/accounts.ts'
import type { NotifyEvent } from '@breakwater/contract/messages/notify.ts'

export type Locale = (typeof mailLocales)[number]
export type Template = 'invitation' | 'password' | 'signInCode' | 'test' | NotifyEvent

type Words = { subject: string; text: string; action?: string }

export const words: Record<Locale, Record<Template, Words>> = {
  en_US: {
    invitation: {
      subject: 'Your account at {brand}',
      text: 'Hello {name},\n\nan account was made for you at {brand}: {account}. Choose a password to begin. The link works once, for 24 hours.',
      action: 'Choose a password',
    },
    password: {
      subject: 'A new password for {brand}',
      text: 'Hello {name},\n\nsomebody asked for a new password for your account {account} at {brand}. If it was not you, do nothing. The link works once, for 24 hours.',
      action: 'Choose a new password',
    },
    signInCode: {
      subject: 'Your sign-in code: {secret}',
      text: 'Hello {name},\n\nyour code for {brand} is {secret}. It is good for a few minutes. Nobody of ours will ever ask you for it.',
    },
    test: { subject: 'A test of {brand}', text: 'The settings work: this message arrived.' },
    signInNewAddress: {
      subject: 'Sign-in from a new address',
      text: 'Your account {account} at {brand} was used to sign in from {address}, for the first time. If it was not you, change your password and end the session in your profile.',
    },
    accountLocked: {
      subject: 'Your account is locked for a while',
      text: 'Somebody typed a wrong password or code for your account {account} at {brand} several times, last from {address}. It is locked for 15 minutes.',
    },
    apiTokenCreated: {
      subject: 'A new API token',
      text: 'The API token “{token}” was made for your account {account} at {brand}, from {address}. If it was not you, remove it.',
    },
    siteNotApplied: {
      subject: 'A node could not apply {site}',
      text: 'The node {node} could not apply the newest settings of the site {site}: {reason}. It goes on with those before.',
    },
    nodeAway: {
      subject: 'The node {node} is away',
      text: 'The node {node} has not reported for {minutes} minutes. It may still serve.',
    },
    nodeBack: { subject: 'The node {node} is back', text: 'The node {node} reports again, after {minutes} minutes.' },
  },
  zh_TW: {
    invitation: {
      subject: '您在 {brand} 的帳號',
      text: '{name} 您好：\n\n已在 {brand} 為您建立帳號 {account}。請先設定密碼。連結只能使用一次，24 小時內有效。',
      action: '設定密碼',
    },
    password: {
      subject: '重設 {brand} 的密碼',
      text: '{name} 您好：\n\n有人為您在 {brand} 的帳號 {account} 要求重設密碼。如果不是您本人，請忽略此信。連結只能使用一次，24 小時內有效。',
      action: '設定新密碼',
    },
    signInCode: {
      subject: '您的登入驗證碼：{secret}',
      text: '{name} 您好：\n\n您在 {brand} 的驗證碼是 {secret}，數分鐘內有效。我們的人員絕不會向您索取驗證碼。',
    },
    test: { subject: '{brand} 的測試信', text: '設定可用：這則訊息已送達。' },
    signInNewAddress: {
      subject: '從新的位址登入',
      text: '您在 {brand} 的帳號 {account} 首次從 {address} 登入。如果不是您本人，請更改密碼，並在個人資料中結束該工作階段。',
    },
    accountLocked: {
      subject: '您的帳號暫時鎖定',
      text: '有人多次為您在 {brand} 的帳號 {account} 輸入錯誤的密碼或驗證碼，最近一次來自 {address}。帳號鎖定 15 分鐘。',
    },
    apiTokenCreated: {
      subject: '新的 API 權杖',
      text: '已為您在 {brand} 的帳號 {account} 建立 API 權杖「{token}」，來自 {address}。如果不是您本人，請移除它。',
    },
    siteNotApplied: {
      subject: '節點無法套用 {site}',
      text: '節點 {node} 無法套用網站 {site} 的最新設定：{reason}。它會沿用先前的設定。',
    },
    nodeAway: { subject: '節點 {node} 失去聯繫', text: '節點 {node} 已 {minutes} 分鐘沒有回報，但可能仍在提供服務。' },
    nodeBack: { subject: '節點 {node} 已恢復', text: '節點 {node} 在 {minutes} 分鐘後恢復回報。' },
  },
  zh_CN: {
    invitation: {
      subject: '您在 {brand} 的账号',
      text: '{name}，您好：\n\n已在 {brand} 为您创建账号 {account}。请先设置密码。链接只能使用一次，24 小时内有效。',
      action: '设置密码',
    },
    password: {
      subject: '重置 {brand} 的密码',
      text: '{name}，您好：\n\n有人为您在 {brand} 的账号 {account} 请求重置密码。如果不是您本人，请忽略此邮件。链接只能使用一次，24 小时内有效。',
      action: '设置新密码',
    },
    signInCode: {
      subject: '您的登录验证码：{secret}',
      text: '{name}，您好：\n\n您在 {brand} 的验证码是 {secret}，几分钟内有效。我们的人员绝不会向您索要验证码。',
    },
    test: { subject: '{brand} 的测试邮件', text: '设置可用：这条消息已送达。' },
    signInNewAddress: {
      subject: '从新的地址登录',
      text: '您在 {brand} 的账号 {account} 首次从 {address} 登录。如果不是您本人，请更改密码，并在个人资料中结束该会话。',
    },
    accountLocked: {
      subject: '您的账号暂时锁定',
      text: '有人多次为您在 {brand} 的账号 {account} 输入错误的密码或验证码，最近一次来自 {address}。账号锁定 15 分钟。',
    },
    apiTokenCreated: {
      subject: '新的 API 令牌',
      text: '已为您在 {brand} 的账号 {account} 创建 API 令牌“{token}”，来自 {address}。如果不是您本人，请移除它。',
    },
    siteNotApplied: {
      subject: '节点无法应用 {site}',
      text: '节点 {node} 无法应用站点 {site} 的最新设置：{reason}。它会沿用之前的设置。',
    },
    nodeAway: { subject: '节点 {node} 失去联系', text: '节点 {node} 已 {minutes} 分钟没有上报，但可能仍在提供服务。' },
    nodeBack: { subject: '节点 {node} 已恢复', text: '节点 {node} 在 {minutes} 分钟后恢复上报。' },
  },
}
