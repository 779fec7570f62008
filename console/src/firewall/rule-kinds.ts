/** Firewall rules, as sentences. */
import { countriesOf } from '@breakwater/contract/system/region-ids.ts'
import type { RuleFields, RuleKind, RuleSay } from '../platform/rule-kinds.ts'

const addresses = { zh_TW: '位址', zh_CN: '地址', en_US: 'addresses' }
const isAddress = { zh_TW: '位址是 {value}', zh_CN: '地址是 {value}', en_US: 'the address is {value}' }
const exceedsRate = {
  zh_TW: '單一位址每秒超過 {n} 次（突發 {burst}）',
  zh_CN: '单个地址每秒超过 {n} 次（突发 {burst}）',
  en_US:
    'one address sends more than {n} request per second (burst {burst})|one address sends more than {n} requests per second (burst {burst})',
}
const bodyContains = { zh_TW: '請求內容含有 {value}', zh_CN: '请求体含有 {value}', en_US: 'the body contains {value}' }
const allow = { zh_TW: '允許', zh_CN: '允许', en_US: 'allow' }

const methodsAll = 7

function pathAndMethods({ urlRegex, methodValues }: RuleFields, { t, value }: RuleSay): string[] {
  const methods = Array.isArray(methodValues) ? methodValues.map(String) : []
  return [
    ...(urlRegex ? [t('if.path', { value: value(String(urlRegex)) })] : []),
    ...(methods.length > 0 && methods.length < methodsAll
      ? [t('if.method', { value: methods.join(t('values.joined')) })]
      : []),
  ]
}

const ofAddresses = (name: RuleKind['name'], tab: string, does: RuleKind['does']): RuleKind => ({
  name,
  tab,
  fields: { ips: addresses },
  when: (rule, say) => [say.text(isAddress, { value: say.list(rule.ips) }), ...pathAndMethods(rule, say)],
  does,
})

const refererIs = {
  zh_TW: '引用頁面屬於 {value}',
  zh_CN: '引用页面属于 {value}',
  en_US: 'the Referer is a page of {value}',
}
const refererIsNot = {
  zh_TW: '引用頁面不屬於 {value}',
  zh_CN: '引用页面不属于 {value}',
  en_US: 'the Referer is a page of any site but {value}',
}
const orNoReferer = { zh_TW: '或沒有 Referer', zh_CN: '或没有 Referer', en_US: 'or missing' }
const hasHeader = { zh_TW: '帶有 {value} 標頭', zh_CN: '带有 {value} 请求头', en_US: 'the header {value} is present' }
const headerIs = {
  zh_TW: '{name} 標頭符合 {value}',
  zh_CN: '{name} 请求头匹配 {value}',
  en_US: 'the header {name} matches {value}',
}

const exceedsInterval = {
  zh_TW: '單一位址 {seconds} 秒內超過 {n} 次',
  zh_CN: '单个地址 {seconds} 秒内超过 {n} 次',
  en_US:
    'one address sends more than {n} request in {seconds} seconds|one address sends more than {n} requests in {seconds} seconds',
}
const exceedsFrequency = {
  zh_TW: '單一位址超過觸發頻率 {value}',
  zh_CN: '单个地址超过触发频率 {value}',
  en_US: 'one address exceeds the trigger frequency {value}',
}
const challengeOrBan = {
  zh_TW: '{challenge}，五次未通過即封鎖位址 {seconds} 秒',
  zh_CN: '{challenge}，五次未通过即封禁地址 {seconds} 秒',
  en_US: '{challenge}; ban the address for {seconds} s after five failures',
}
const agentIs = {
  zh_TW: 'User-Agent 符合 {value}',
  zh_CN: 'User-Agent 匹配 {value}',
  en_US: 'the User-Agent matches {value}',
}
const scoreIs = {
  zh_TW: '位址的信譽分數達到 {n}',
  zh_CN: '地址的信誉分数达到 {n}',
  en_US: 'the address scores {n} or more',
}
const comesFrom = { zh_TW: '來自 {value}', zh_CN: '来自 {value}', en_US: 'the visitor comes from {value}' }
const comesFromElsewhere = {
  zh_TW: '不是來自 {value}',
  zh_CN: '不是来自 {value}',
  en_US: 'the visitor does not come from {value}',
}

/** The networks of a rule in AS notation. */
const networksIn = (asns: unknown): string[] => (Array.isArray(asns) ? asns : []).map((asn) => `AS${asn}`)

/** The countries for a rule's ids, by name. */
const countriesIn = (ids: unknown, { countryName }: RuleSay): string[] =>
  (Array.isArray(ids) ? ids : []).flatMap((id) => countriesOf(Number(id))).map(countryName)

const ofHeaders = (name: RuleKind['name'], tab?: string): RuleKind => ({
  name,
  ...(tab && { tab }),
  fields: {
    header: { zh_TW: '標頭', zh_CN: '请求头', en_US: 'header' },
    valueRegex: { zh_TW: '值', zh_CN: '值', en_US: 'value' },
  },
  when: ({ header, valueRegex, ...rule }, say) => [
    ...pathAndMethods(rule, say),
    valueRegex
      ? say.text(headerIs, { name: say.value(String(header)), value: say.value(String(valueRegex)) })
      : say.text(hasHeader, { value: say.value(String(header)) }),
  ],
  does: ({ blockType }, say) => actionOf(blockType, say),
})

/** *block*, or *challenge* with its type. */
const actionOf = (blockType: unknown, { t, blockTypeName }: RuleSay): string => {
  const mode = blockTypeName(Number(blockType))
  return Number(blockType) === 0 ? mode : t('do.challenge', { mode })
}

export const ruleKinds: Readonly<Record<string, RuleKind>> = {
  allowRules: ofAddresses({ zh_TW: '允許規則', zh_CN: '允许规则', en_US: 'Allow rule' }, 'allowList', (_, { text }) =>
    text(allow),
  ),
  denyRules: ofAddresses({ zh_TW: '封鎖規則', zh_CN: '封禁规则', en_US: 'Deny rule' }, 'denyList', (_, { t }) =>
    t('do.block'),
  ),
  rateRules: {
    name: { zh_TW: '速率規則', zh_CN: '速率规则', en_US: 'Rate rule' },
    tab: 'rateRules',
    fields: {
      rate: { zh_TW: '每秒請求數', zh_CN: '每秒请求数', en_US: 'requests per second' },
      burst: { zh_TW: '突發', zh_CN: '突发', en_US: 'burst' },
    },
    when: (rule, say) => [
      ...pathAndMethods(rule, say),
      say.text(exceedsRate, { n: Number(rule.rate), burst: Number(rule.burst) }),
    ],
    does: ({ blockType }, say) => actionOf(blockType, say),
  },
  antiReferers: {
    name: { zh_TW: '防盜連規則', zh_CN: '防盗链规则', en_US: 'Anti-referer rule' },
    fields: {
      referers: { zh_TW: '引用網站', zh_CN: '引用网站', en_US: 'sites' },
      isBlack: { zh_TW: '只攔截列出的網站', zh_CN: '只拦截列出的网站', en_US: 'block only the listed sites' },
      allowEmpty: {
        zh_TW: '允許沒有 Referer 的請求',
        zh_CN: '允许没有 Referer 的请求',
        en_US: 'allow requests without a Referer',
      },
    },
    when: ({ isBlack, allowEmpty, referers, ...rule }, say) => {
      const named = say.text(isBlack ? refererIs : refererIsNot, { value: say.list(referers) })
      return [...pathAndMethods(rule, say), allowEmpty ? named : `${named} ${say.text(orNoReferer)}`]
    },
    does: (_, { t }) => t('do.block'),
  },
  antiHeaders: ofHeaders({ zh_TW: '標頭攔截規則', zh_CN: '请求头拦截规则', en_US: 'Anti-header rule' }),
  headerRules: ofHeaders({ zh_TW: '標頭規則', zh_CN: '请求头规则', en_US: 'Header rule' }, 'headerRules'),
  agentRules: {
    name: { zh_TW: 'User-Agent 規則', zh_CN: 'User-Agent 规则', en_US: 'User-Agent rule' },
    tab: 'agentRules',
    fields: { userAgentRegex: { zh_TW: 'User-Agent', zh_CN: 'User-Agent', en_US: 'User-Agent' } },
    when: (rule, say) => [
      say.text(agentIs, { value: say.value(String(rule.userAgentRegex)) }),
      ...pathAndMethods(rule, say),
    ],
    does: ({ blockType }, say) => actionOf(blockType, say),
  },
  reputationRules: {
    name: { zh_TW: 'IP 信譽規則', zh_CN: 'IP 信誉规则', en_US: 'Reputation rule' },
    tab: 'reputationRules',
    fields: { score: { zh_TW: '分數', zh_CN: '分数', en_US: 'score' } },
    when: (rule, say) => [say.text(scoreIs, { n: Number(rule.score) }), ...pathAndMethods(rule, say)],
    does: ({ blockType }, say) => actionOf(blockType, say),
  },
  regionRules: {
    name: { zh_TW: '地區規則', zh_CN: '地区规则', en_US: 'Region rule' },
    tab: 'regionRules',
    fields: {
      geoIDs: { zh_TW: '地區', zh_CN: '地区', en_US: 'regions' },
      asns: { zh_TW: '網路', zh_CN: '网络', en_US: 'networks' },
      isBlack: { zh_TW: '套用於這些地區', zh_CN: '适用于这些地区', en_US: 'applies to these regions' },
    },
    shown: (field, value, say) =>
      field === 'geoIDs' ? countriesIn(value, say) : field === 'asns' ? networksIn(value) : undefined,
    when: ({ geoIDs, asns, isBlack, ...rule }, say) => [
      say.text(isBlack === false ? comesFromElsewhere : comesFrom, {
        value: say.list([...countriesIn(geoIDs, say), ...networksIn(asns)]),
      }),
      ...pathAndMethods(rule, say),
    ],
    does: ({ blockType }, say) => actionOf(blockType, say),
  },
  intervalRules: {
    name: { zh_TW: '區間速率規則', zh_CN: '区间速率规则', en_US: 'Interval rule' },
    tab: 'intervalRules',
    fields: {
      seconds: { zh_TW: '秒數', zh_CN: '秒数', en_US: 'seconds' },
      times: { zh_TW: '請求數', zh_CN: '请求数', en_US: 'requests' },
    },
    when: (rule, say) => [
      ...pathAndMethods(rule, say),
      say.text(exceedsInterval, { n: Number(rule.times), seconds: say.format.number(Number(rule.seconds)) }),
    ],
    does: ({ blockType }, say) => actionOf(blockType, say),
  },
  antiCC: {
    name: { zh_TW: '防 CC 規則', zh_CN: '防 CC 规则', en_US: 'Anti-CC rule' },
    tab: 'antiCC',
    fields: {
      type: { zh_TW: '觸發頻率', zh_CN: '触发频率', en_US: 'trigger frequency' },
      blockSeconds: { zh_TW: '封鎖秒數', zh_CN: '封禁秒数', en_US: 'ban time (s)' },
    },
    shown: (field, value, { frequency }) => (field === 'type' ? frequency(Number(value))?.name : undefined),
    when: (rule, say) => {
      const frequency = say.frequency(Number(rule.type))
      return [
        ...pathAndMethods(rule, say),
        frequency
          ? say.text(exceedsInterval, { n: frequency.times, seconds: say.format.number(frequency.seconds) })
          : say.text(exceedsFrequency, { value: say.value(`#${rule.type}`) }),
      ]
    },
    does: ({ blockType, blockSeconds }, say) =>
      say.text(challengeOrBan, {
        challenge: actionOf(blockType, say),
        seconds: say.format.number(Number(blockSeconds)),
      }),
  },
  bodyRules: {
    name: { zh_TW: '內容規則', zh_CN: '请求体规则', en_US: 'Body rule' },
    tab: 'bodyRules',
    fields: {
      contains: { zh_TW: '內容包含', zh_CN: '请求体包含', en_US: 'body contains' },
      oversize: { zh_TW: '超過 64 KiB 的內容', zh_CN: '超过 64 KiB 的请求体', en_US: 'bodies above 64 KiB' },
    },
    when: (rule, say) => [
      ...pathAndMethods(rule, say),
      say.text(bodyContains, { value: say.value(String(rule.contains)) }),
    ],
    does: (_, { t }) => t('do.block'),
  },
}
