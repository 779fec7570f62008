import type { Phrases } from '../../app/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: '登录',
  account: '账号或电子邮件',
  password: '密码',
  submit: '登录',
  done: '登录成功！欢迎！',
  codeSent: '验证码已发送到您的邮箱。',
  'verify.title': '输入验证码',
  'verify.code': '验证码',
  'verify.submit': '验证',
  'verify.back': '返回登录',
  'change.title': '修改密码',
  'change.first': '首次登录，请先设置自己的密码，之后才能使用控制台。',
  'change.old': '当前密码',
  'change.new': '新密码',
  'change.newHelp': '8 个字符以上，至少一个字母和一个数字，不含空格。',
  'change.confirm': '再次输入新密码',
  'change.submit': '修改密码',
  'change.done': '密码修改成功！',
} satisfies Phrases<typeof source>
