/**
 * The groups of the navigation, in order. A group is shown if an area provides a page for it that the user may open.
 */
import type { Title } from './locale.ts'

/** Groups of the consoles. `me` is the account menu. */
export const consoleGroups = {
  overview: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
  customers: { zh_TW: '客戶', zh_CN: '客户', en_US: 'Customers' },
  sites: { zh_TW: '站點', zh_CN: '站点', en_US: 'Sites' },
  network: { zh_TW: '網路', zh_CN: '网络', en_US: 'Network' },
  licensing: { zh_TW: '授權', zh_CN: '许可证', en_US: 'Licences' },
  analytics: { zh_TW: '流量分析', zh_CN: '流量分析', en_US: 'Analytics' },
  logs: { zh_TW: '日誌', zh_CN: '日志', en_US: 'Logs' },
  accounts: { zh_TW: '帳號', zh_CN: '账号', en_US: 'Accounts' },
  team: { zh_TW: '團隊', zh_CN: '团队', en_US: 'Team' },
  audit: { zh_TW: '操作記錄', zh_CN: '操作记录', en_US: 'Audit log' },
  system: { zh_TW: '系統', zh_CN: '系统', en_US: 'System' },
  signIn: { zh_TW: '登入', zh_CN: '登录', en_US: 'Sign-in' },
  me: { zh_TW: '帳號', zh_CN: '账号', en_US: 'Account' },
} as const satisfies Record<string, Title>
export type ConsoleGroup = keyof typeof consoleGroups

/** Groups of a site's settings. */
export const siteGroups = {
  overview: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
  domains: { zh_TW: '網域', zh_CN: '域名', en_US: 'Domains' },
  delivery: { zh_TW: '內容傳遞', zh_CN: '内容分发', en_US: 'Delivery' },
  security: { zh_TW: '安全防護', zh_CN: '安全防护', en_US: 'Security' },
  activity: { zh_TW: '活動', zh_CN: '活动', en_US: 'Activity' },
  settings: { zh_TW: '設定', zh_CN: '设置', en_US: 'Settings' },
} as const satisfies Record<string, Title>
export type SiteGroup = keyof typeof siteGroups

/** Groups of a zone's settings. */
export const zoneGroups = {
  overview: { zh_TW: '總覽', zh_CN: '总览', en_US: 'Overview' },
  ports: { zh_TW: '連接埠與協定', zh_CN: '端口与协议', en_US: 'Ports & protocols' },
  preheat: { zh_TW: '預熱', zh_CN: '预热', en_US: 'Preheat' },
  firewall: { zh_TW: '防火牆', zh_CN: '防火墙', en_US: 'Firewall' },
  origins: { zh_TW: '來源站', zh_CN: '源站', en_US: 'Origins' },
  limits: { zh_TW: '限制', zh_CN: '限制', en_US: 'Limits' },
} as const satisfies Record<string, Title>
export type ZoneGroup = keyof typeof zoneGroups
