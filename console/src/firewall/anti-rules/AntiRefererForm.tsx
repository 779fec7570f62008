/** The drawer for one anti-referer rule. */
import { AntiReferer } from '@breakwater/contract/firewall/anti-referers.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(AntiReferer)
const fresh: AntiReferer = {
  ...{ urlRegex: '', referers: [], isBlack: false, allowEmpty: true },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

export function AntiRefererForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const path = (
    <Field.Text
      name="urlRegex"
      label={t('urlRegex')}
      help={t('urlRegex.help')}
      placeholder="^/images/"
      mono
      autoFocus
    />
  )
  const referers = (
    <>
      <Field.Lines
        name={'referers' as never}
        label={t('referer.referers')}
        help={t('referer.referersHelp')}
        max={100}
        placeholder="www.example.com"
        apart
      />
      <Field.Switch name="allowEmpty" label={t('referer.allowEmpty')} help={t('referer.allowEmptyHelp')} />
    </>
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={AntiReferer}
      fresh={fresh}
      added={t('referer.added')}
      tries="antiReferers"
      conditions={[
        { name: 'urlRegex', label: t('urlRegex'), control: path },
        { name: 'referers', label: t('referer.referers'), control: referers },
      ]}
      action={<Field.Switch name="isBlack" label={t('referer.isBlack')} help={t('referer.isBlackHelp')} />}
    />
  )
}
