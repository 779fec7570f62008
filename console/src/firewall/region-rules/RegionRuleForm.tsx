/** The drawer for one region rule. */
import { RegionRule } from '@breakwater/contract/firewall/region-rules.ts'
import { countriesOf, countryId } from '@breakwater/contract/system/region-ids.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { FieldFrame, useField } from '../../kit/fields/frame.tsx'
import { RegionPicker } from '../../kit/RegionPicker.tsx'
import { Select } from '../../kit/Select.tsx'
import { useRuleActionOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useSelf } from '../../platform/session.ts'
import { NetworksField } from './NetworksField.tsx'

const Field = fieldsOf(RegionRule)
const fresh: RegionRule = {
  ...{ urlRegex: '', isBlack: true, geoIDs: [], asns: [], blockType: 1 },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

/** Countries, saved by id; a continent that was saved through the API is shown as its countries. */
function Regions({ label }: { label: string }) {
  const { field, error } = useField('geoIDs')
  const ids = (field.value ?? []) as number[]
  return (
    <div className="mb-4">
      <RegionPicker
        label={label}
        value={[...new Set(ids.flatMap(countriesOf))]}
        onChange={(codes) => field.onChange(codes.map(countryId))}
        isNarrow
      />
      {error && (
        <p role="alert" className="mt-1 text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  )
}

/** Whether the rule applies to visitors from the regions, or to all others. */
function Meant() {
  const t = usePhrases('firewall')
  const { field, error } = useField('isBlack')
  const label = t('region.meant')
  return (
    <FieldFrame name="isBlack" label={label} error={error}>
      <Select
        label={label}
        value={field.value === false ? 0 : 1}
        onChange={(value) => field.onChange(value === 1)}
        options={[
          { value: 1, label: t('region.black') },
          { value: 0, label: t('region.white') },
        ]}
        className="w-full"
      />
    </FieldFrame>
  )
}

export function RegionRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('firewall')
  const { networks } = useSelf().addressCredits
  const actions = useRuleActionOptions()
  const regions = (
    <>
      <Meant />
      <Regions label={t('region.regions')} />
      <NetworksField label={t('region.networks')} help={t('region.networksHelp', { credit: networks })} />
    </>
  )
  const path = <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/admin" mono />
  return (
    <SiteRuleEditor
      rules={rules}
      schema={RegionRule}
      fresh={fresh}
      tries="regionRules"
      conditions={[
        { name: 'geoIDs', label: t('region.regions'), control: regions },
        { name: 'urlRegex', label: t('urlRegex'), control: path, any: '' },
      ]}
      action={<Field.Select name="blockType" label={t('header.does')} options={actions} />}
    />
  )
}
