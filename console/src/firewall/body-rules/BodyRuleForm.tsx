/** The drawer of one body rule. */
import { methods } from '@breakwater/contract/fields.ts'
import { BodyRule } from '@breakwater/contract/firewall/body-rules.ts'
import { usePhrases } from '../../app/phrases.ts'
import { FormDrawer } from '../../kit/FormDrawer.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { RuleMetaFields } from '../RuleMetaFields.tsx'

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

type Props = { rule: BodyRule | undefined; save: (body: BodyRule) => Promise<unknown>; onClose: () => void }

export function BodyRuleForm({ rule, save, onClose }: Props) {
  const t = usePhrases('firewall')
  const form = useResourceForm(BodyRule, {
    values: rule ? BodyRule.parse(rule) : fresh,
    save,
    done: t('done.set'),
    onSaved: onClose,
  })
  const oversize = [
    { value: 'block', label: t('body.oversize.block') },
    { value: 'pass', label: t('body.oversize.pass') },
  ]
  return (
    <FormDrawer form={form} title={t(rule ? 'edit' : 'add')} onClose={onClose}>
      <Field.Text
        name="urlRegex"
        label={t('urlRegex')}
        help={t('urlRegex.help')}
        placeholder="^/upload"
        mono
        autoFocus
      />
      <Field.Many name="methodValues" label={t('methods')} options={methodOptions} />
      <Field.Text name="contains" label={t('body.contains')} help={t('body.contains.help')} mono />
      <Field.Select name="oversize" label={t('body.oversize')} options={oversize} />
      <RuleMetaFields />
    </FormDrawer>
  )
}
