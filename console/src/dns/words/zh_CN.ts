import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: 'DNS 设置',
  help: '写入您边缘网络 DNS 区域的方式。自动证书以 DNS 验证域名时需要它；站点的记录目前仍由您自行设置。',
  provider: '名称服务器',
  'provider.help': '有了它，泛域名与尚未指向这里的域名也能获得自动证书：客户只需设置一条 CNAME。',
  type: '类型',
  'type.none': '不使用',
  'type.rfc2136': '动态更新（RFC 2136）',
  zone: '区域',
  'zone.help': '记录写在此区域的 acme 名称之下。',
  server: '服务器',
  'server.help': '以 TCP 接受更新的主名称服务器，例如 BIND、Knot 或 PowerDNS；端口不是 53 时请一并填写。',
  key: 'TSIG 密钥名称',
  secret: 'TSIG 密钥',
  'secret.help': 'HMAC-SHA256，以 base64 表示。加密保存，无法再读出。',
  'secret.kept': '已保存；留空则不更改。',
  test: '测试',
  tested: '连接成功！',
  saved: '设置成功',
  remove: '会删除此设置与密钥。以 DNS 验证的域名，证书到期后将无法再更新。',
} satisfies Phrases<typeof source>
