/** The drawer for one reputation rule. */
import { ReputationRule } from '@breakwater/contract/firewall/reputation-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useBlockTypeOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(ReputationRule)
const fresh: ReputationRule = {
  ...{ urlRegex: '^/', score: 50, blockType: 1 },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

export function ReputationRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const tRules = usePhrases('rules')
  const blockTypes = useBlockTypeOptions(rules.opened && Number(rules.opened.blockType))
  const path = <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/" mono />
  const score = <Field.Number name="score" label={t('trust.score')} help={t('trust.scoreHelp')} />
  return (
    <SiteRuleEditor
      rules={rules}
      schema={ReputationRule}
      fresh={fresh}
      tries="reputationRules"
      conditions={[
        { name: 'score', label: t('trust.score'), control: score },
        { name: 'urlRegex', label: t('urlRegex'), control: path },
      ]}
      action={<Field.Select name="blockType" label={tRules('blockType')} options={blockTypes} />}
    />
  )
}
