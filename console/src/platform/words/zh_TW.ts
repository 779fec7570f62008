/** Words that every page needs: the consoles, the language, the "not found" page. */
export const phrases = {
  'console.user': '客戶控制台',
  'console.client': '營運控制台',
  'console.admin': '供應商控制台',
  language: '語言',
  authMismatch: '帳號類型不符！',
  'notFound.title': '找不到此頁面',
  'notFound.text': '網址可能有誤，或頁面已移動。',
  'notFound.home': '回到首頁',
  'notAllowed.title': '您的角色無法檢視此頁面',
  'notAllowed.text': '請向帳號擁有者申請權限。',
  'crashed.title': '頁面發生錯誤',
} as const

declare module '../../platform/phrases.ts' {
  interface Areas {
    platform: typeof phrases
  }
}
