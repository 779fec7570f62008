/** The drawer for one anti-header rule of a domain, or header rule of a site. */
import { HeaderRule } from '@breakwater/contract/firewall/header-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useRuleActionOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(HeaderRule)
const fresh: HeaderRule = {
  ...{ urlRegex: '', header: '', valueRegex: '', blockType: 0 },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

export function AntiHeaderForm({ rules, tries }: { rules: Rules; tries: 'headerRules' | 'antiHeaders' }) {
  const t = usePhrases('firewall')
  const actions = useRuleActionOptions()
  const path = (
    <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/api/" mono autoFocus />
  )
  const header = (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field.Text name="header" label={t('header.header')} placeholder="User-Agent" mono />
      <Field.Text name="valueRegex" label={t('header.valueRegex')} help={t('header.valueRegexHelp')} mono />
    </div>
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={HeaderRule}
      fresh={fresh}
      added={t('header.added')}
      tries={tries}
      conditions={[
        { name: 'urlRegex', label: t('urlRegex'), control: path },
        { name: 'header', label: t('header.header'), control: header },
      ]}
      action={<Field.Select name="blockType" label={t('header.does')} options={actions} />}
    />
  )
}
