/**
 * The actions that the palette offers here, and synonyms that people type. Separate from `area.ts`, which the first
 * page loads.
 */
import type { Acts } from '../platform/manifest.ts'

export const acts: Acts = {
  acts: [
    {
      tab: 'denyList',
      key: 'deny',
      title: { zh_TW: '新增封鎖規則', zh_CN: '添加封禁规则', en_US: 'Add deny rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'block ban blacklist 黑名單 黑名单 擋 拉黑',
    },
    {
      tab: 'allowList',
      key: 'allow',
      title: { zh_TW: '新增允許規則', zh_CN: '添加允许规则', en_US: 'Add allow rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'whitelist 白名單 白名单 放行',
    },
    {
      tab: 'rateRules',
      key: 'rate',
      title: { zh_TW: '新增速率規則', zh_CN: '添加速率规则', en_US: 'Add rate rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'limit cc 限速 限流 頻率 频率',
    },
    {
      tab: 'bodyRules',
      key: 'body',
      title: { zh_TW: '新增內容規則', zh_CN: '添加请求体规则', en_US: 'Add body rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'post payload',
    },
    {
      tab: 'intervalRules',
      key: 'interval',
      title: { zh_TW: '新增區間速率規則', zh_CN: '添加区间速率规则', en_US: 'Add interval rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'limit cc 限速 頻率 频率',
    },
    {
      tab: 'antiCC',
      key: 'antiCC',
      title: { zh_TW: '新增防 CC 規則', zh_CN: '添加防 CC 规则', en_US: 'Add anti-CC rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'limit cc flood 限速 頻率 频率 攻擊 攻击',
    },
    {
      tab: 'reputationRules',
      key: 'reputation',
      title: { zh_TW: '新增 IP 信譽規則', zh_CN: '添加 IP 信誉规则', en_US: 'Add reputation rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'abuse ip trust score 信任 分數 分数',
    },
    {
      tab: 'regionRules',
      key: 'region',
      title: { zh_TW: '新增地區規則', zh_CN: '添加地区规则', en_US: 'Add region rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'geo country 國家 国家 geoip',
    },
    {
      tab: 'agentRules',
      key: 'agent',
      title: { zh_TW: '新增 User-Agent 規則', zh_CN: '添加 User-Agent 规则', en_US: 'Add User-Agent rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'bot crawler ua 爬蟲 爬虫',
    },
    {
      tab: 'headerRules',
      key: 'header',
      title: { zh_TW: '新增標頭規則', zh_CN: '添加请求头规则', en_US: 'Add header rule' },
      search: { edit: 'new' },
      can: 'firewall.write',
      also: 'header',
    },
  ],
  also: {
    siteMode: 'under attack shield 五秒盾 攻擊 攻击',
    denyList: 'blacklist ban 黑名單 黑名单 封鎖 封禁',
    allowList: 'whitelist 白名單 白名单 放行',
    rateRules: 'limit cc 限速 限流 頻率 频率',
    bodyRules: 'post payload',
    intervalRules: 'limit cc 限速 頻率 频率',
    antiCC: 'limit cc flood 限速 頻率 频率 攻擊 攻击',
    reputationRules: 'abuse ip trust score 信任 分數 分数',
    regionRules: 'geo country 國家 国家 geoip',
    agentRules: 'bot crawler ua 爬蟲 爬虫',
    headerRules: 'header',
  },
}
