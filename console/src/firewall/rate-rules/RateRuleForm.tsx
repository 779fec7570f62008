/** The drawer of one rate rule. */
import { RateRule } from '@breakwater/contract/firewall/rate-rules.ts'
import type { StoredRule } from '@breakwater/contract/rule-list.ts'
import { usePhrases } from '../../app/phrases.ts'
import { FormDrawer } from '../../kit/FormDrawer.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { useBlockTypeOptions } from '../block-types.ts'
import { usePrefill } from '../prefill.ts'
import { RuleMetaFields } from '../RuleMetaFields.tsx'
import { TryRule } from '../TryRule.tsx'

const Field = fieldsOf(RateRule)
const fresh: RateRule = {
  urlRegex: '',
  rate: 10,
  burst: 20,
  priority: 100,
  blockType: 1,
  enabled: true,
  mode: 'enforce',
  memo: '',
  expiresAt: null,
}

type Props = {
  siteId: number
  rule: StoredRule<RateRule> | undefined
  save: (body: RateRule) => Promise<unknown>
  onClose: () => void
}

export function RateRuleForm({ siteId, rule, save, onClose }: Props) {
  const t = usePhrases('firewall')
  const blockTypes = useBlockTypeOptions(rule?.blockType)
  const begun = usePrefill(RateRule, fresh)
  const form = useResourceForm(RateRule, {
    values: rule ? RateRule.parse(rule) : begun,
    save,
    done: t(rule ? 'done.set' : 'rate.added'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t(rule ? 'edit' : 'add')} onClose={onClose}>
      <Field.Text
        name="urlRegex"
        label={t('urlRegex')}
        help={t('urlRegex.help')}
        placeholder="^/login"
        mono
        autoFocus
      />
      <div className="grid gap-x-4 sm:grid-cols-3">
        <Field.Number name="rate" label={t('rate.rate')} unit={t('rate.perSecond')} />
        <Field.Number name="burst" label={t('rate.burst')} help={t('rate.burst.help')} />
        <Field.Number name="priority" label={t('priority')} help={t('priority.help')} />
      </div>
      <Field.Select name="blockType" label={t('blockType')} options={blockTypes} />
      <RuleMetaFields />
      <TryRule siteId={siteId} kind="rateRules" ruleId={rule?.id} />
    </FormDrawer>
  )
}
