/** Words at the door: signing in, the code, one's own password. */
export const phrases = {
  title: '登入',
  ended: '工作階段已結束：{reason}。登入後會回到原來的頁面，未儲存的內容仍在。',
  account: '帳號或電子郵件',
  password: '密碼',
  submit: '登入',
  done: '登入成功！歡迎！',
  codeSent: '驗證碼已寄到您的信箱。',
  'verify.title': '輸入驗證碼',
  'verify.code': '驗證碼',
  'verify.submit': '驗證',
  'verify.back': '返回登入',
  'change.title': '變更密碼',
  'change.first': '第一次登入，請先設定自己的密碼，之後才能使用控制台。',
  'change.old': '目前的密碼',
  'change.new': '新密碼',
  'change.newHelp': '8 個字元以上，至少一個字母和一個數字，不含空白。',
  'change.confirm': '再次輸入新密碼',
  'change.submit': '變更密碼',
  'change.done': '密碼變更成功！',
  'verify.app': '輸入驗證器應用程式顯示的六位數字。',
  'verify.mail': '驗證碼已寄到 {address}，10 分鐘內有效。',
  'verify.mailAny': '請輸入信件中的六位數字，10 分鐘內有效。',
  'verify.passkeyHelp': '用您的通行金鑰確認身分：裝置會請您解鎖或碰觸金鑰。',
  'verify.passkey': '使用通行金鑰',
  'verify.passkeyFailed': '通行金鑰沒有回應，或您取消了。請再試一次，或使用復原碼。',
  'verify.recovery': '使用復原碼',
  'verify.recoveryHelp': '輸入設定時保存的其中一組復原碼，每組只能用一次。',
  'verify.recoveryCode': '復原碼',
  'verify.useCode': '改用驗證碼',
  'forgot.link': '忘記密碼？',
  'forgot.title': '忘記密碼',
  'forgot.help': '輸入帳號或電子郵件，我們會把設定新密碼的連結寄給您。',
  'forgot.submit': '寄送連結',
  'forgot.sent':
    '如果這個帳號存在並且有電子郵件，信件已經寄出，連結 24 小時內有效。沒有收到的話，請聯絡為您建立帳號的人。',
  'create.title': '設定密碼',
  'create.for': '{name}，請為 {email} 設定密碼。',
  'create.submit': '設定密碼',
  'create.done': '密碼設定成功！',
  'mail.invalid': '這個連結已經失效或用過了。請重新登入，或請管理者再寄一次。',
  'sso.with': '以{name}登入',
  'sso.title': '單一登入',
  'sso.wait': '正在確認您的身分…',
  'sso.failed': '登入提供者的回應無效或已過期。請再試一次。',
  'sso.unknown': '這裡沒有您的帳號，或登入提供者沒有驗證您的電子郵件。請聯絡管理者。',
} as const

declare module '../../platform/phrases.ts' {
  interface Areas {
    auth: typeof phrases
  }
}
