/** Edge authentication rules, as sentences. */
import type { RuleFields, RuleKind, RuleSay } from '../platform/rule-kinds.ts'

const atDomains = { zh_TW: '網域是 {value}', zh_CN: '域名是 {value}', en_US: 'the domain is {value}' }
const asks = {
  basic: {
    zh_TW: '要求群組 {group} 的使用者名稱與密碼',
    zh_CN: '要求分组 {group} 的用户名与密码',
    en_US: 'require a name and password of {group}',
  },
  key: { zh_TW: '要求群組 {group} 的金鑰', zh_CN: '要求分组 {group} 的密钥', en_US: 'require a key of {group}' },
  jwt: {
    zh_TW: '要求群組 {group} 簽署的權杖（JWT）',
    zh_CN: '要求分组 {group} 签发的令牌（JWT）',
    en_US: 'require a token (JWT) signed by {group}',
  },
}
const toOrigin = { zh_TW: '，並轉送來源站', zh_CN: '，并转发给源站', en_US: ' and forward it to the origin' }
const isNamed = { zh_TW: '名稱是 {value}', zh_CN: '用户名是 {value}', en_US: 'the name is {value}' }
const isKey = { zh_TW: '金鑰開頭是 {value}', zh_CN: '密钥开头是 {value}', en_US: 'the key begins with {value}' }
const signedBy = { zh_TW: '權杖的金鑰是 {value}', zh_CN: '令牌的密钥是 {value}', en_US: 'the token’s key is {value}' }
const passes = { zh_TW: '放行', zh_CN: '放行', en_US: 'allow' }

/** The group's name if the page knows it, as the list does; its number in the history. */
const groupOf = ({ groupID, groupName }: RuleFields, { value }: RuleSay) => value(String(groupName ?? `#${groupID}`))

const entry = (
  name: RuleKind['name'],
  field: string,
  when: RuleKind['when'],
  fields: RuleKind['fields'],
): RuleKind => ({
  name,
  tab: 'authGroups',
  fields,
  shown: (which, value) => (which === field ? value : undefined),
  when,
  does: (_, { text }) => text(passes),
})

export const ruleKinds: Readonly<Record<string, RuleKind>> = {
  authRules: {
    name: { zh_TW: '驗證規則', zh_CN: '认证规则', en_US: 'Authentication rule' },
    tab: 'authRules',
    fields: {
      domainIDs: { zh_TW: '網域', zh_CN: '域名', en_US: 'domains' },
      type: { zh_TW: '類型', zh_CN: '类型', en_US: 'type' },
      groupID: { zh_TW: '群組', zh_CN: '分组', en_US: 'group' },
      forward: { zh_TW: '轉送來源站', zh_CN: '转发给源站', en_US: 'forwarded to the origin' },
    },
    when: ({ urlRegex, domainIDs, domainNames }, { t, text, value, list }) => [
      ...(Array.isArray(domainIDs) && domainIDs.length > 0
        ? [text(atDomains, { value: list(domainNames ?? domainIDs.map((id) => `#${id}`)) })]
        : []),
      t('if.path', { value: value(String(urlRegex)) }),
    ],
    does: (rule, say) => {
      const ask = asks[rule.type as keyof typeof asks] ?? asks.basic
      return say.text(ask, { group: groupOf(rule, say) }) + (rule.forward ? say.text(toOrigin) : '')
    },
  },
  basicAuths: entry(
    { zh_TW: '使用者名稱與密碼', zh_CN: '用户名与密码', en_US: 'Name and password' },
    'username',
    ({ username }, { text, value }) => [text(isNamed, { value: value(String(username)) })],
    { username: { zh_TW: '名稱', zh_CN: '用户名', en_US: 'name' } },
  ),
  keyAuths: entry(
    { zh_TW: '金鑰', zh_CN: '密钥', en_US: 'Key' },
    'key',
    ({ key }, { text, value }) => [text(isKey, { value: value(String(key)) })],
    { key: { zh_TW: '金鑰', zh_CN: '密钥', en_US: 'key' } },
  ),
  jwtAuths: entry(
    { zh_TW: '權杖金鑰', zh_CN: '令牌密钥', en_US: 'Token key' },
    'key',
    ({ key, algorithm }, { text, value }) => [text(signedBy, { value: value(`${key || '–'} (${algorithm})`) })],
    {
      key: { zh_TW: '金鑰 ID（kid）', zh_CN: '密钥 ID（kid）', en_US: 'key ID (kid)' },
      algorithm: { zh_TW: '演算法', zh_CN: '算法', en_US: 'algorithm' },
      issuer: { zh_TW: '簽發者', zh_CN: '签发者', en_US: 'issuer' },
      audience: { zh_TW: '受眾', zh_CN: '受众', en_US: 'audience' },
    },
  ),
}
