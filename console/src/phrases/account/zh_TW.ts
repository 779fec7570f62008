/** Words of one's own account. */
export const phrases = {
  title: '個人資料',
  name: '名稱',
  account: '帳號',
  email: '電子郵件',
  console: '控制台',
  role: '角色',
  'role.root': '擁有者',
  'role.member': '成員',
  security: '登入安全',
  twoFactor: '兩步驟驗證',
  'twoFactor.0': '無',
  'twoFactor.1': '電子郵件驗證碼',
  'twoFactor.2': '自動',
  'twoFactor.3': '驗證器應用程式',
  password: '變更密碼',
  permissions: '權限',
} as const
