/** The drawer of one rule of addresses. */
import { ipsPerListMax, parseRange } from '@breakwater/contract/addresses.ts'
import { methods } from '@breakwater/contract/fields.ts'
import { IpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import type { StoredRule } from '@breakwater/contract/rule-list.ts'
import { usePhrases } from '../../app/phrases.ts'
import { FormDrawer } from '../../kit/FormDrawer.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { usePrefill } from '../prefill.ts'
import { RuleMetaFields } from '../RuleMetaFields.tsx'
import { TryRule } from '../TryRule.tsx'

const Field = fieldsOf(IpRule)
const fresh: IpRule = {
  urlRegex: '',
  methodValues: [...methods],
  ips: [],
  enabled: true,
  mode: 'enforce',
  memo: '',
  expiresAt: null,
}
const methodOptions = methods.map((value) => ({ value, label: value }))
const checkLine = (line: string) => (parseRange(line) ? undefined : 'wrongFormat')

type Props = {
  siteId: number
  kind: 'denyRules' | 'allowRules'
  rule: StoredRule<IpRule> | undefined
  save: (body: IpRule) => Promise<unknown>
  onClose: () => void
}

export function IpRuleForm({ siteId, kind, rule, save, onClose }: Props) {
  const t = usePhrases('firewall')
  const begun = usePrefill(IpRule, fresh)
  const form = useResourceForm(IpRule, {
    values: rule ? IpRule.parse(rule) : begun,
    save,
    done: t('done.set'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t(rule ? 'edit' : 'add')} onClose={onClose}>
      <Field.Lines
        name="ips"
        label={t('addresses')}
        help={t('addresses.help')}
        max={ipsPerListMax}
        check={checkLine}
        placeholder="203.0.113.7"
      />
      <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.every')} placeholder="^/admin" mono />
      <Field.Many name="methodValues" label={t('methods')} options={methodOptions} />
      <RuleMetaFields />
      <TryRule siteId={siteId} kind={kind} ruleId={rule?.id} />
    </FormDrawer>
  )
}
