/** The drawer for one agent rule. */
import { AgentRule } from '@breakwater/contract/firewall/agent-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useRuleActionOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(AgentRule)
const fresh: AgentRule = {
  ...{ urlRegex: '^/', userAgentRegex: '', blockType: 0 },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

export function AgentRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const actions = useRuleActionOptions()
  const path = <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/" mono />
  const agent = (
    <Field.Text
      name="userAgentRegex"
      label={t('agent.userAgentRegex')}
      help={t('agent.userAgentRegexHelp')}
      placeholder="python-requests|Go-http-client"
      mono
      autoFocus
    />
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={AgentRule}
      fresh={fresh}
      tries="agentRules"
      conditions={[
        { name: 'userAgentRegex', label: t('agent.userAgentRegex'), control: agent },
        { name: 'urlRegex', label: t('urlRegex'), control: path },
      ]}
      action={<Field.Select name="blockType" label={t('header.does')} options={actions} />}
    />
  )
}
