/** The drawer for one rate rule. */
import { RateRule } from '@breakwater/contract/firewall/rate-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useBlockTypeOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

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

export function RateRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const tRules = usePhrases('rules')
  const blockTypes = useBlockTypeOptions(rules.opened && Number(rules.opened.blockType))
  const path = (
    <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/login" mono autoFocus />
  )
  const rate = (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field.Number name="rate" label={t('rate.rate')} unit={t('rate.perSecond')} />
      <Field.Number name="burst" label={t('rate.burst')} help={t('rate.burst.help')} />
    </div>
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={RateRule}
      fresh={fresh}
      added={t('rate.added')}
      tries="rateRules"
      conditions={[
        { name: 'urlRegex', label: t('urlRegex'), control: path },
        { name: 'rate', label: t('rate.rate'), control: rate },
      ]}
      action={<Field.Select name="blockType" label={tRules('blockType')} options={blockTypes} />}
    />
  )
}
