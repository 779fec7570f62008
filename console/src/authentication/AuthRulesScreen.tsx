/** Authentication rules of a site: where visitors must authenticate. */
import { authGroups } from '@breakwater/contract/authentication/auth-groups.ts'
import { authRules } from '@breakwater/contract/authentication/auth-rules.ts'
import { bulkDomains } from '@breakwater/contract/domains/bulk.ts'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../kit/Button.tsx'
import { Failed } from '../kit/faults.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { SiteRules } from '../pickers/rules/SiteRules.tsx'
import { useRules } from '../pickers/rules/useRules.ts'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { RuleFields } from '../platform/rule-kinds.ts'
import { useMay } from '../platform/session.ts'

const AuthRuleForm = laterFloat('drawer', () => import('./AuthRuleForm.tsx').then((file) => file.AuthRuleForm))

export function AuthRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('authentication')
  const rules = useRules(authRules, siteId, 'auth-rules', 'firewall.write')
  const groups = useCall(authGroups.meta, { siteId, query: {} })
  const domains = useCall(bulkDomains.meta, { siteId, query: {} })
  const mayWrite = useMay()('firewall.write')
  const hasNoGroup = groups.data?.length === 0
  /** Adds the names of what a rule refers to by number. */
  const named = (rule: RuleFields): RuleFields => {
    const group = groups.data?.find(({ id }) => id === rule.groupID)
    const ids = Array.isArray(rule.domainIDs) ? rule.domainIDs : []
    const nameOf = (id: number) => domains.data?.data.find((one) => one.id === id)?.name ?? `#${id}`
    return { ...rule, ...(group && { groupName: group.name }), domainNames: ids.map(nameOf) }
  }
  return (
    <>
      <SiteRules
        rules={hasNoGroup ? { ...rules, mayWrite: false } : rules}
        title={t('rules.title')}
        help={t('rules.help')}
        empty={
          hasNoGroup
            ? { title: t('rules.empty'), text: t('rules.noGroup'), action: mayWrite && <AddGroup /> }
            : { title: t('rules.empty'), text: t('rules.emptyText') }
        }
        removal={t('rules.removal')}
        told={named}
        templates={
          hasNoGroup
            ? []
            : [
                { label: t('tpl.whole'), rule: { urlRegex: '^/' } },
                { label: t('tpl.admin'), rule: { urlRegex: '^/admin' } },
              ]
        }
      >
        {groups.isError && !groups.data && <Failed fault={groups.error} retry={() => groups.refetch()} />}
      </SiteRules>
      {rules.edit && groups.data && !hasNoGroup && domains.data && (
        <AuthRuleForm
          key={rules.edit}
          rules={rules}
          groups={groups.data}
          domains={domains.data.data}
          onClose={rules.close}
        />
      )}
    </>
  )
}

/** Link to the form for a new group, on the neighbouring tab. */
function AddGroup() {
  const t = usePhrases('authentication')
  return (
    <Link
      to="."
      search={{ tab: 'authGroups', edit: 'new' } as never}
      className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
    >
      {t('group.add')}
    </Link>
  )
}
