/** The drawer for one interval rule. */
import { IntervalRule } from '@breakwater/contract/firewall/interval-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useBlockTypeOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(IntervalRule)
const fresh: IntervalRule = {
  ...{ urlRegex: '', seconds: 60, times: 100, priority: 100, blockType: 1 },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

export function IntervalRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const tRules = usePhrases('rules')
  const blockTypes = useBlockTypeOptions(undefined)
  const path = (
    <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/login" mono autoFocus />
  )
  const interval = (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field.Number name="times" label={t('interval.times')} />
      <Field.Number
        name="seconds"
        label={t('interval.seconds')}
        unit={t('interval.unit')}
        help={t('interval.secondsHelp')}
      />
    </div>
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={IntervalRule}
      fresh={fresh}
      tries="intervalRules"
      conditions={[
        { name: 'urlRegex', label: t('urlRegex'), control: path },
        { name: 'times', label: t('interval.times'), control: interval },
      ]}
      action={<Field.Select name="blockType" label={tRules('blockType')} options={blockTypes} />}
    />
  )
}
