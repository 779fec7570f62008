import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  'console.user': '客户控制台',
  'console.client': '运营控制台',
  'console.admin': '供应商控制台',
  language: '语言',
  authMismatch: '账号类型不符！',
  'notFound.title': '找不到此页面',
  'notFound.text': '网址可能有误，或页面已移动。',
  'notFound.home': '返回首页',
  'notAllowed.title': '您的角色无法查看此页面',
  'notAllowed.text': '请向账号所有者申请权限。',
  'crashed.title': '页面发生错误',
} satisfies Phrases<typeof source>
