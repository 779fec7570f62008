/** The drawer for one bandwidth limit. */
import { BandwidthLimit } from '@breakwater/contract/delivery/bandwidth-limits.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteRuleEditor } from '../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../pickers/rules/useRules.ts'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(BandwidthLimit)
const fresh: BandwidthLimit = {
  ...{ urlRegex: '', rate: 1_000_000, afterSize: 0, priority: 100 },
  ...{ enabled: true, memo: '' },
}

export function BandwidthForm({ rules }: { rules: Rules }) {
  const t = usePhrases('delivery')
  const path = (
    <Field.Text
      name="urlRegex"
      label={t('rate.path')}
      help={t('rate.pathHelp')}
      placeholder="^/downloads/"
      mono
      autoFocus
    />
  )
  const rate = (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field.Number name="rate" label={t('rate.rate')} unit={t('rate.perSecond')} />
      <Field.Number name="afterSize" label={t('rate.afterSize')} help={t('rate.afterHelp')} unit={t('gzip.bytes')} />
    </div>
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={BandwidthLimit}
      fresh={fresh}
      added={t('rate.added')}
      conditions={[
        { name: 'urlRegex', label: t('rate.path'), control: path },
        { name: 'rate', label: t('rate.rate'), control: rate },
      ]}
    />
  )
}
