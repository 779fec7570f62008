/** A useless kind of rule, as somebody who adds one would write it: requests whose path contains a word are refused. */

/**
 * A new file; or, for an existing one, lines inserted after the first line that contains `after`, or in place of
 * `instead`.
 */
export type Edit = { file: string; text: string; after?: string; instead?: string }

export const edits: Edit[] = [
  {
    file: 'contract/src/firewall/toy-rules.ts',
    text: `/** Toy rules: requests whose path holds a word are refused. */
import { z } from 'zod'
import { edgeRule } from './edge-rule-fields.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'

export const ToyRule = z.object({
  urlRegex: UrlRegex,
  word: z.string().min(1, 'required').max(64, 'charactersExceedLimit'),
  ...RuleMeta.shape,
})
export type ToyRule = z.output<typeof ToyRule>

export const EdgeToyRule = edgeRule({ word: z.string() })
export type EdgeToyRule = z.output<typeof EdgeToyRule>

export const toyRules = ruleList('toyRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.toyRule', many: 'site.firewall.l7.toyRules' },
  paths: { one: 'firewall/l7/toyRule', many: 'firewall/l7/toyRules' },
  item: ToyRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 10,
  beyond: true,
  noun: 'toy rule',
})
`,
  },
  {
    file: 'contract/src/firewall/kinds.ts',
    after: "from './rate-rules.ts'",
    text: "import { EdgeToyRule, toyRules } from './toy-rules.ts'",
  },
  {
    file: 'contract/src/firewall/kinds.ts',
    after: 'export const firewallKinds = {',
    text: `  toyRules: {
    ...{ list: toyRules, edge: EdgeToyRule, isTried: true },
    title: { zh_TW: '玩具規則', zh_CN: '玩具规则', en_US: 'Toy rules' },
  },`,
  },
  { file: 'contract/src/edge/guards.ts', after: '  urlRedirects:', text: '  toyRules: 200,' },
  {
    file: 'edge/src/request/firewall/toy-rules.ts',
    text: `/** Toy rules: requests whose path holds a word are refused. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, blocked, type Condition, condition, enforced } from './rule.ts'

type ToyRule = { when: Condition; word: string }

function ask(this: void, rule: ToyRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools) || request.path.indexOf(rule.word) < 0) return undefined
  return enforced(rule.when, request, blocked('toyRules', rule.when.id, causes.accessRule))
}

const { first: firstRule, ready } = firstVerdictOf(ask)

export const toyRules: Guard<ToyRule[], 'firewall'> = {
  name: 'toyRules',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.toyRules
    if (rules === undefined || rules.length === 0) return undefined
    return ready(rules.map((rule) => ({ when: condition(rule, tools), word: rule.word })))
  },
  check: (rules, request, tools) => firstRule(rules, request, tools),
}
`,
  },
  {
    file: 'edge/src/request/guards/guards.ts',
    after: "from '../firewall/rate-rules.ts'",
    text: "import { toyRules } from '../firewall/toy-rules.ts'",
  },
  {
    file: 'edge/src/request/guards/guards.ts',
    instead: '  bodyRules,\n]',
    text: '  toyRules,\n  bodyRules,\n]',
  },
  {
    file: 'console/src/firewall/toy-rules/ToyRulesScreen.tsx',
    text: `/** Toy rules of a site, and the drawer of one. */
import { ToyRule, toyRules } from '@breakwater/contract/firewall/toy-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useRuleSay } from '../../pickers/rules/use-rule-words.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { type Rules, useRules } from '../../pickers/rules/useRules.ts'

const Field = fieldsOf(ToyRule)
const fresh: ToyRule = { urlRegex: '', word: '', enabled: true, mode: 'enforce', memo: '', expiresAt: null }
const texts = {
  title: { zh_TW: '玩具規則', zh_CN: '玩具规则', en_US: 'Toy rules' },
  help: { zh_TW: '封鎖含有某個字的路徑。', zh_CN: '封禁含有某个词的路径。', en_US: 'Refuse paths that hold a word.' },
  path: { zh_TW: '網址規則', zh_CN: '网址规则', en_US: 'URL expression' },
  word: { zh_TW: '字', zh_CN: '词', en_US: 'Word' },
}

export function ToyRulesScreen({ siteId }: { siteId: number }) {
  const { text } = useRuleSay()
  const rules = useRules(toyRules, siteId, 'toy-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={text(texts.title)}
        help={text(texts.help)}
        empty={{ title: text(texts.title), text: text(texts.help) }}
      />
      {rules.edit && <ToyRuleForm key={rules.edit} rules={rules} />}
    </>
  )
}

function ToyRuleForm({ rules }: { rules: Rules }) {
  const { text } = useRuleSay()
  const path = <Field.Text name="urlRegex" label={text(texts.path)} mono autoFocus />
  const word = <Field.Text name="word" label={text(texts.word)} mono />
  return (
    <SiteRuleEditor
      rules={rules}
      schema={ToyRule}
      fresh={fresh}
      tries="toyRules"
      conditions={[
        { name: 'urlRegex', label: text(texts.path), control: path },
        { name: 'word', label: text(texts.word), control: word },
      ]}
    />
  )
}
`,
  },
  {
    file: 'console/src/firewall/area.ts',
    after: '  siteTabs: [',
    text: `    {
      tab: 'toyRules',
      rules: { kind: 'toyRules', actions: 'site.firewall.l7.toyRule' },
      title: { zh_TW: '玩具規則', zh_CN: '玩具规则', en_US: 'Toy rules' },
      group: 'security',
      order: 50,
      can: 'firewall.read',
      load: () => import('./toy-rules/ToyRulesScreen.tsx').then((file) => file.ToyRulesScreen),
      words: ['firewall', 'rules'],
    },`,
  },
  {
    file: 'console/src/firewall/rule-kinds.ts',
    after: 'export const ruleKinds',
    text: `  toyRules: {
    name: { zh_TW: '玩具規則', zh_CN: '玩具规则', en_US: 'Toy rule' },
    fields: { word: { zh_TW: '字', zh_CN: '词', en_US: 'word' } },
    when: (rule, say) => pathAndMethods(rule, say),
    does: (_, { t }) => t('do.block'),
  },`,
  },
]
