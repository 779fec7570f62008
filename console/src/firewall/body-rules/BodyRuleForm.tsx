/** The drawer for one body rule. */
import { methods } from '@breakwater/contract/fields.ts'
import { BodyRule } from '@breakwater/contract/firewall/body-rules.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(BodyRule)
const fresh: BodyRule = {
  urlRegex: '',
  methodValues: ['POST', 'PUT', 'PATCH'],
  contains: '',
  oversize: 'block',
  enabled: true,
  mode: 'enforce',
  memo: '',
  expiresAt: null,
}
const methodOptions = methods.map((value) => ({ value, label: value }))

export function BodyRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const oversize = [
    { value: 'block', label: t('body.oversize.block') },
    { value: 'pass', label: t('body.oversize.pass') },
  ]
  const path = (
    <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/upload" mono autoFocus />
  )
  const contains = <Field.Text name="contains" label={t('body.contains')} help={t('body.contains.help')} mono />
  return (
    <SiteRuleEditor
      rules={rules}
      schema={BodyRule}
      fresh={fresh}
      conditions={[
        { name: 'urlRegex', label: t('urlRegex'), control: path },
        {
          name: 'methodValues',
          label: t('methods'),
          control: <Field.Many name="methodValues" label={t('methods')} options={methodOptions} />,
        },
        { name: 'contains', label: t('body.contains'), control: contains },
      ]}
      action={<Field.Select name="oversize" label={t('body.oversize')} options={oversize} />}
    />
  )
}
