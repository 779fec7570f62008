/** Agent rules of a site. */
import { agentRules } from '@breakwater/contract/firewall/agent-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const AgentRuleForm = laterFloat('drawer', () => import('./AgentRuleForm.tsx').then((file) => file.AgentRuleForm))

export function AgentRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(agentRules, siteId, 'agent-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('agent.title')}
        help={t('agent.help')}
        empty={{ title: t('agent.empty'), text: t('agent.emptyText') }}
        templates={[
          { label: t('tpl.scanners'), rule: { urlRegex: '^/', userAgentRegex: 'sqlmap|nikto|nmap|masscan|zgrab' } },
          { label: t('tpl.noAgent'), rule: { urlRegex: '^/', userAgentRegex: '^$' } },
        ]}
      />
      {rules.edit && <AgentRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
