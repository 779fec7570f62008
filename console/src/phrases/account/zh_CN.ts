import type { Phrases } from '../../app/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: '个人资料',
  name: '名称',
  account: '账号',
  email: '电子邮件',
  console: '控制台',
  role: '角色',
  'role.root': '所有者',
  'role.member': '成员',
  security: '登录安全',
  twoFactor: '两步验证',
  'twoFactor.0': '无',
  'twoFactor.1': '电子邮件验证码',
  'twoFactor.2': '自动',
  'twoFactor.3': '验证器应用',
  password: '修改密码',
  permissions: '权限',
} satisfies Phrases<typeof source>
