/** The drawer for one authentication rule. */
import type { AuthGroupRow } from '@breakwater/contract/authentication/auth-groups.ts'
import { AuthRule } from '@breakwater/contract/authentication/auth-rules.ts'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteRuleEditor } from '../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../pickers/rules/useRules.ts'
import { usePhrases } from '../platform/phrases.ts'

/** Form values are strings. */
const FormRule = AuthRule.extend({ domainIDs: z.array(z.coerce.string<string>()) })
type FormRule = z.output<typeof FormRule>
const Field = fieldsOf(FormRule)

type Props = {
  rules: Rules
  /** At least one group. */
  groups: readonly Pick<AuthGroupRow, 'id' | 'name' | 'type'>[]
  domains: readonly { id: number; name: string }[]
}

export function AuthRuleForm({ rules, groups, domains }: Props) {
  const t = usePhrases('authentication')
  const [first] = groups
  const fresh: FormRule = {
    ...{ domainIDs: [], urlRegex: '', type: first?.type ?? 'basic', groupID: first?.id ?? 0, forward: false },
    ...{ priority: 100, enabled: true, mode: 'enforce', memo: '', expiresAt: null },
  }
  /**
   * Includes deleted domains that a saved rule still names: if they were silently dropped, the rule would apply to all.
   */
  const known = new Set(domains.map(({ id }) => id))
  const gone = ((rules.opened?.domainIDs ?? []) as number[]).filter((id) => !known.has(id))
  const options = [
    ...domains.map(({ id, name }) => ({ value: String(id), label: name })),
    ...gone.map((id) => ({ value: String(id), label: t('rule.gone', { id }) })),
  ]
  const path = (
    <Field.Text
      name="urlRegex"
      label={t('rule.urlRegex')}
      help={t('rule.urlRegexHelp')}
      placeholder="^/admin"
      mono
      autoFocus
    />
  )
  const at = <Field.Many name="domainIDs" label={t('rule.domains')} help={t('rule.domainsHelp')} options={options} />
  return (
    <SiteRuleEditor
      rules={rules}
      schema={FormRule}
      fresh={fresh}
      // The API expects numbers, and the type of the chosen group.
      prepare={(rule) =>
        ({
          ...rule,
          domainIDs: rule.domainIDs.map(Number),
          type: groups.find(({ id }) => id === rule.groupID)?.type ?? rule.type,
        }) as unknown as FormRule
      }
      conditions={[
        { name: 'urlRegex', label: t('rule.urlRegex'), control: path },
        { name: 'domainIDs', label: t('rule.domains'), control: at, any: [] },
      ]}
      action={
        <>
          <Field.Select
            name="groupID"
            label={t('rule.group')}
            help={t('rule.groupHelp')}
            options={groups.map(({ id, name, type }) => ({ value: id, label: `${name} · ${t(`type.${type}`)}` }))}
          />
          <Field.Switch name="forward" label={t('rule.forward')} help={t('rule.forwardHelp')} />
          <ObserveNote />
        </>
      }
    />
  )
}

/** A rule in observe mode protects nothing, but a password rule is easily assumed to. */
function ObserveNote() {
  const t = usePhrases('authentication')
  if (useWatch({ name: 'mode' }) !== 'observe') return null
  return (
    <p role="note" className="mb-3 rounded-panel border border-warn px-3 py-2 text-sm">
      {t('rule.observes')}
    </p>
  )
}
